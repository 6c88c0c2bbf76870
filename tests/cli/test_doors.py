"""Whatever `read` reads, every door reads: Python, the command line, batches and the engine."""

import json

import pytest
from click.testing import CliRunner

import casino_core as cc
from casino_core.cli import main
from casino_core.engine.engine import Engine

LINE = (
    "rules=ramapo table=9hJdQc builds=6a*:As5d6d hands=Ac6hQd/3s9dTc "
    "piles=2s3d4s9c/2h2c3h4c5s5c6c7s7h7cJcKc turn=a last=b "
    "stock=2dKd8s8h4dAdTd9sQs8cAh6s5hTs7dThJhKs3cJs4h8dQhKh"
)
POSITION = cc.Position.parse(LINE)
SAVED = cc.to_saved_game(POSITION)

#: Texts of one line, apart from comments and blank lines.
LINES = {
    "bare": LINE,
    "blank lines and comments after": f"{LINE}\n\n# the end\n  \n",
    "blank lines and comments before": f"\n# a game\n\n  {LINE}",
    "byte-order mark": f"\ufeff{LINE}\n",
    "CR LF": f"# a game\r\n{LINE}\r\n\r\n",
    "CR": f"# a game\r{LINE}\r\r# the end\r",
    "no-break blanks": LINE.replace(" ", "\u00a0"),
    "thin and wide blanks": LINE.replace(" ", "\u2009\u3000") + "\u202f",
    "line separators": f"# a game\u2028{LINE}\u2029\u0085",
    "zero-width blanks between cards": LINE.replace("hQd", "h\u200bQd").replace("5d", "\u200b5d"),
    "zero-width blanks between fields": LINE.replace(" ", "\u200b"),
    "direction marks": "\u200e" + LINE.replace(" ", " \u200e") + "\u202c\u2069",
    "symbols of the suits": LINE.replace("9h", "9♥").replace("Ac", "A♣\ufe0f"),
}
GAMES = {
    "saved game": SAVED,
    "saved game, CR LF": SAVED.replace("\n", "\r\n"),
    "saved game, CR": SAVED.replace("\n", "\r"),
    "saved game, byte-order mark": f"\ufeff{SAVED}",
    "saved game, no-break blanks": SAVED.replace(" ", "\u00a0"),
    "saved game, marks": SAVED.replace(" ", " \u200f"),
}
FORMS = LINES | GAMES


@pytest.fixture(params=FORMS.values(), ids=FORMS)
def text(request):
    return request.param


def run(*arguments, data=None, status=0):
    answer = CliRunner().invoke(main, [str(part) for part in arguments], input=data)
    assert answer.exit_code == status, answer.output
    return answer.stdout


def asked(**request):
    """The engine's answer to one request."""
    got = []
    engine = Engine(got.append)
    engine.take(json.dumps(request).encode())
    engine.close()
    engine.work()
    (answer,) = map(json.loads, got)
    assert "error" not in answer, answer["error"]
    return answer


def batched(path, tmp_path, task="moves"):
    """The only answer of `batch` about a file."""
    out = tmp_path / f"{path.name}-out.jsonl"
    run("batch", path, "--task", task, "--workers", 1, "--out", out)
    (answer,) = map(json.loads, out.read_text(encoding="utf-8").splitlines())
    assert "error" not in answer, answer["error"]
    return {name: value for name, value in answer.items() if name != "line"}


def test_read(text):
    assert cc.read(text) == (POSITION, ())
    for encoding in ("utf-8", "utf-8-sig", "utf-16"):
        assert cc.read(text.encode(encoding)).position == POSITION


@pytest.mark.parametrize("text", [pytest.param(x, id=name) for name, x in LINES.items()])
def test_a_line_for_position(text):
    if "#" not in text:
        assert cc.Position.parse(text) == POSITION


def test_records_and_saved_games(text):
    assert cc.read_play(text) == (POSITION, ())
    assert cc.read_play(text.encode("utf-16")) == (POSITION, ())
    assert cc.to_saved_game(text) == SAVED


def test_command_line(text, tmp_path):
    assert json.loads(run("show", "--json", text))["position"] == LINE
    for encoding in ("utf-8", "utf-16"):
        data = text.encode(encoding)
        assert json.loads(run("show", "--json", "-", data=data))["position"] == LINE
        (tmp_path / "position").write_bytes(data)
        assert json.loads(run("show", "--json", tmp_path / "position"))["position"] == LINE


def test_analyze(text):
    for task, budget in (("moves", {}), ("hint", {"samples": 1})):
        (found,) = cc.analyze([text], task, **budget)
        (wanted,) = cc.analyze([POSITION], task, **budget)
        assert found.error is None
        if task == "moves":
            assert found == wanted
        else:
            assert found.answer.best == wanted.answer.best
    assert cc.PositionArray.from_texts([text])[0] == POSITION


@pytest.mark.parametrize("task", ["moves", "hint"])
def test_batches_of_json_and_parquet(text, task, tmp_path):
    (tmp_path / "bare.txt").write_text(LINE)
    wanted = batched(tmp_path / "bare.txt", tmp_path, task)
    (tmp_path / "in.jsonl").write_text(json.dumps({"position": text}) + "\n")
    (tmp_path / "text.jsonl").write_text(json.dumps(text) + "\n")
    files = ["in.jsonl", "text.jsonl"]
    arrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    parquet.write_table(arrow.table({"position": [text]}), tmp_path / "in.parquet")
    for file in (*files, "in.parquet"):
        found = batched(tmp_path / file, tmp_path, task)
        for name in ("seconds", "position"):
            found.pop(name, None), wanted.pop(name, None)
        assert found == wanted


@pytest.mark.parametrize("text", [pytest.param(x, id=name) for name, x in LINES.items()])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-16-be with its mark"])
def test_batches_of_lines(text, encoding, tmp_path):
    (tmp_path / "bare.txt").write_text(LINE)
    wanted = batched(tmp_path / "bare.txt", tmp_path)
    if encoding.startswith("utf-16-be"):
        data = b"\xfe\xff" + text.encode("utf-16-be")
    else:
        data = text.encode(encoding)
    (tmp_path / "in.txt").write_bytes(data)
    assert batched(tmp_path / "in.txt", tmp_path) == wanted


@pytest.mark.parametrize("end", [b"\n", b"\r\n", b"\r"])
@pytest.mark.parametrize("size", [1, 3, 40, 2000])
def test_lines_of_a_batch_are_counted_whatever_ends_them(monkeypatch, tmp_path, end, size):
    """A line end may be split between two reads, and be beyond the longest line."""
    from casino_core.batch.files import sources

    lines = [b"ab", b"", b"# x", b"cd", b"", b"", b"ef"]
    (tmp_path / "in").write_bytes(end.join(lines))
    monkeypatch.setattr(sources, "_LONGEST", max(size, 4))
    with sources.Source(str(tmp_path / "in")) as source:
        items = source.take(99)
    assert items.numbers == [1, 4, 7]
    assert items.positions == ["ab", "cd", "ef"]


def test_what_is_not_utf16_is_refused_once_for_the_file(tmp_path):
    (tmp_path / "in.txt").write_bytes((LINE + "\n").encode("utf-16") * 2 + b"\x00\xd8\x00")
    arguments = ["batch", str(tmp_path / "in.txt"), "--task", "moves", "--out", "-"]
    answer = CliRunner().invoke(main, arguments)
    assert answer.exit_code == 2
    assert "cannot read" in answer.stderr
    assert "the text is not UTF-16" in answer.stderr
    assert len(answer.stderr.splitlines()) <= 2


def test_the_engine(text):
    assert asked(command="show", position=text)["position"] == LINE
    move = str(POSITION.legal_moves()[0])
    after = str(POSITION.play(move).view("b"))
    hint = {"command": "hint", "position": after, "samples": 1}
    best = asked(**hint, history=[[LINE, move]])["best"]
    assert asked(**hint, history=[[text, move]])["best"] == best


# Pasted moves, beliefs and rules

SEEN = cc.Position.parse("table=2s5hJdKc hands=7c8dAs9h/????")


@pytest.mark.parametrize(
    "text",
    [
        "7c\u00a0x\u00a02s5h",
        "7c\u2009x\u20092s\u20095h",
        "\ufeff7cx2s5h",
        "7c\u200bx\u200b2s\u200b5h",
        "\u200e7cx2s5h\u200e",
        "\u20667c x 2s 5h\u2069",
        "7c x 2s 5h\u2028",
        "7♣\ufe0fx2♠\u00a05♥",
    ],
)
def test_pasted_moves(text):
    assert str(SEEN.move(text)) == "7cx2s5h"
    assert SEEN.is_legal(text)


def test_pasted_beliefs_and_rules():
    wanted = "b:holds=9,Td lacks=A"
    for text in (
        "b:\u00a0holds=9,Td\u2009lacks=A",
        "b:holds=9,10\u2666\u200blacks=A",
        "\ufeffb:holds=\u200e9,Td lacks=A\u200e",
    ):
        assert str(cc.Belief.parse(text)) == wanted
    for text in ("royal,\u00a0sweep=0", "\u200eroyal,\u200bsweep=0", " royal , sweep = 0 "):
        assert str(cc.Rules.parse(text)) == "royal,sweep=0"
    assert str(cc.CardSet("2s\u00a05h\u200bTd\u2009")) == "2s5hTd"


def in_line(text):
    return lambda: cc.Position.parse(f"table=2s hands=Ac/Ah piles=-/- {text}")


LOOK_ALIKES = [
    (in_line("out=A\u0441"), "'с' is U+0441 CYRILLIC SMALL LETTER ES, not the letter c"),
    (in_line("out=\u0391s"), "U+0391 GREEK CAPITAL LETTER ALPHA, not the letter A"),
    (in_line("out=\uff12h"), "U+FF12 FULLWIDTH DIGIT TWO, not the digit 2"),
    (in_line("out\uff1d2h"), "U+FF1D FULLWIDTH EQUALS SIGN, not the sign ="),
    (in_line("swe\u0435ps=0/0"), "U+0435 CYRILLIC SMALL LETTER IE, not the letter e"),
    (in_line("out=\u2013"), "U+2013 EN DASH, not the sign -"),
    (lambda: SEEN.move("7c\u00d72s5h"), "U+00D7 MULTIPLICATION SIGN, not the letter x"),
    (lambda: SEEN.is_legal("7\u0441x2s5h"), "not the letter c"),
    (lambda: cc.Belief.parse("b:holds=\u0422d"), "belief: 'b:holds=Тd': 'Т' is U+0422"),
    (lambda: cc.Rules.parse("roy\u0430l"), "rules: 'royаl': 'а' is U+0430"),
    (lambda: cc.CardSet("2s5\uff48"), "FULLWIDTH LATIN SMALL LETTER H, not the letter h"),
    (lambda: cc.read(SAVED.replace("S3", "\u04053")), "U+0405 CYRILLIC CAPITAL LETTER DZE"),
    (lambda: cc.read_play(LINE.replace("Ac", "A\u0441")), "U+0441"),
]


@pytest.mark.parametrize(("ask", "part"), LOOK_ALIKES)
def test_letters_that_only_look_right_are_named(ask, part):
    with pytest.raises(cc.CasinoError) as caught:
        ask()
    assert part in str(caught.value)
    assert str(caught.value).isprintable()


def test_every_look_alike_has_a_name_and_is_no_blank():
    from casino_core import _text

    for letter, meant in _text._LOOK_ALIKES.items():
        assert f"U+{ord(letter):04X}" in _text.look_alike(letter)
        assert meant in _text.look_alike(letter)
        assert not letter.isspace()
    for letter in "♠♥♦♣\ufe0f é!":
        assert _text.look_alike(letter) is None


# ---------------------------------------------------------------- records

RECORD = """\
[PlayerA "Anna"]
[Seed "17"]
1. 7dx7c! {the seven} 2. 9h 3. 6h
"""
AT_TWO = cc.Position.start(seed=17).play("7dx7c")
AT_END = AT_TWO.play("9h").play("6h")
PLACES = [(None, AT_END), ("2", AT_TWO), ("1.2", AT_TWO), ("4", AT_END)]


@pytest.mark.parametrize("text", [RECORD, RECORD.replace("\n", " "), "# a game\n" + RECORD])
@pytest.mark.parametrize(("at", "wanted"), PLACES)
def test_a_record_through_every_door(text, at, wanted, tmp_path):
    path = tmp_path / "game.txt"
    path.write_text(text)
    assert cc.read(text, at=at).position == wanted
    assert cc.read(text.encode("utf-16"), at=at).position == wanted
    option = [] if at is None else ["--at", at]
    moves = [str(move) for move in wanted.legal_moves()]
    for argument, data in ((path, None), (text, None), ("-", text)):
        found = json.loads(run("moves", argument, *option, "--json", data=data))
        assert (found["position"], found["moves"]) == (str(wanted), moves)
    assert json.loads(run("show", path, *option, "--json"))["position"] == str(wanted)
    assert run("convert", path, *option) == f"{wanted}\n"
    field = {} if at is None else {"at": at}
    assert asked(command="moves", position=text, **field)["moves"] == moves
    assert asked(command="show", position=text, **field)["position"] == str(wanted)
    assert asked(command="play", position=text, move=moves[0], **field)["move"] == moves[0]


def test_records_in_batches(tmp_path):
    (found,) = cc.analyze([RECORD], "moves")
    assert found == next(cc.analyze([AT_END], "moves"))
    assert cc.PositionArray.from_texts([RECORD])[0] == AT_END
    (tmp_path / "in.jsonl").write_text(json.dumps({"position": RECORD}) + "\n")
    (tmp_path / "bare.txt").write_text(str(AT_END))
    found, wanted = (batched(tmp_path / name, tmp_path) for name in ("in.jsonl", "bare.txt"))
    assert found["moves"] == wanted["moves"]


def test_a_batch_of_a_file_of_records(tmp_path):
    text = f"# games\n\n{RECORD}\n[A x] [Seed 17] 7dx7c 9d\n[A x] [Seed 17] 7dx7c\n"
    (tmp_path / "games.txt").write_text(text)
    out = tmp_path / "out.jsonl"
    games = tmp_path / "games.txt"
    run("batch", games, "--task", "moves", "--workers", 1, "--out", out, status=1)
    found = [json.loads(line) for line in out.read_text().splitlines()]
    assert [answer["line"] for answer in found] == [3, 7, 8]
    assert found[0]["moves"] == [str(move) for move in AT_END.legal_moves()]
    assert "line 7, column 23: play 2: 9d is not legal" in found[1]["error"]
    assert found[2]["moves"] == [str(move) for move in AT_TWO.legal_moves()]


@pytest.mark.parametrize("command", ["review", "show"])
def test_a_whole_match_through_the_commands(command, tmp_path):
    match = cc.Match(target=11)
    while not match.is_over:
        played = cc.Round(match.next_start(seed=len(match.rounds)))
        while not played.is_over:
            played = played.play(played.position.legal_moves()[-1])
        match = match.play_round(played)
    (tmp_path / "match.txt").write_text(str(match))
    budget = ["--samples", 2] if command == "review" else []
    found = json.loads(run(command, tmp_path / "match.txt", "--json", *budget))
    if command == "show":
        assert found["counted"]["match_over"]
    else:
        assert len(match.rounds) > 1
        assert len(found["rounds"]) == len(match.rounds)


def test_a_hint_takes_the_plays_of_a_record(tmp_path):
    seen = cc.Game([cc.Game.parse(RECORD).rounds[0].round.seen_by("b")])
    (tmp_path / "game.txt").write_text(str(seen))
    wanted = cc.hint(seen.round_at(), samples=20, seed=1)
    found = json.loads(run("hint", tmp_path / "game.txt", "--samples=20", "--seed=1", "--json"))
    answer = asked(command="hint", position=str(seen), samples=20, seed=1)
    for one in (found, answer):
        assert one["moves"][0]["value"] == wanted.moves[0].value
        assert one["holds"] == wanted.holds
    assert wanted.holds != cc.hint(seen.round_at().position, samples=20, seed=1).holds


@pytest.mark.parametrize(
    ("text", "at", "why"),
    [
        (RECORD, "5", "at: plays are 1 to 4 (the end), not 5"),
        (RECORD, "x", "at is the number of a play"),
        (LINE, "2", "at: plays are 1 to 1 (the end), not 2"),
        (RECORD + "9h", None, "line 4, column 1: play 4: 9h is not legal"),
    ],
)
def test_places_and_records_that_are_refused(text, at, why):
    option = [] if at is None else ["--at", at]
    answer = CliRunner().invoke(main, ["show", text, *option])
    assert answer.exit_code == 2
    assert why in answer.stderr
    assert len(answer.stderr.splitlines()) == 1
    got = []
    engine = Engine(got.append)
    field = {} if at is None else {"at": at}
    engine.take(json.dumps({"command": "show", "position": text, **field}).encode())
    assert why in json.loads(got[0])["error"]
    with pytest.raises(cc.CasinoError, match=r"at|line"):
        cc.read(text, at=at)
