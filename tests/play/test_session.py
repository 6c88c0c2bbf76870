"""A session: a game in progress between people and agents, saved and continued."""

import json
import os
from dataclasses import replace

import pytest

import casino_core as cc
from casino_core.play.agents import FunctionAgent, parse_agent
from casino_core.play.outcome import last_outcome
from casino_core.play.session import Player, Session, new_seed

RULES = (
    "standard",
    "royal",
    "draw",
    "spade",
    "hoyle",
    "standard,players=3",
    "standard,players=4,partners=yes",
)


def players(*names):
    """People by capital names, agents by the texts that name them."""
    return [Player(n) if n.istitle() else Player("", parse_agent(n)) for n in names]


def anna_against(agent="greedy", **options):
    return Session.start(players=players("Anna", agent), **{"seed": 17, **options})


def table(rules):
    """A person at the first seat, agents at the others."""
    seats = len(cc.Rules.parse(rules).seats)
    return Session.start(rules, players=players("Anna", *["greedy"] * (seats - 1)), seed=17)


def played_out(session):
    """The session at the end of its round; a person plays the first legal move."""
    while (player := session.to_play) is not None:
        if player.is_person:
            session = session.play(next(session.position.iter_legal_moves()))
        else:
            session = session.play(session.choose())
    return session


@pytest.mark.parametrize("rules", RULES)
def test_a_match_is_played_saved_and_continued(rules, tmp_path):
    path = tmp_path / "game.txt"
    session = table(rules)
    for number in range(1, 4):
        assert session.number == number
        assert session.to_play == session.players[(number - 1) % len(session.players)]
        while (player := session.to_play) is not None:
            plays = session.position.legal_moves()
            session = session.play(plays[0] if player.is_person else session.choose())
            session.save(path)
            assert Session.load(path) == session
        assert session.outcome.over
        assert sum(session.score) == sum(
            step.points for one in session.game.match.steps for step in one
        )
        if session.is_over:
            assert session.leader is None
            break
        assert session.leader == session.players[number % len(session.players)]
        session = session.next_round()
        session.save(path)
    assert cc.Game.parse(path.read_bytes()) == session.game
    assert os.listdir(tmp_path) == ["game.txt"]


def test_the_first_round_is_dealt_by_the_seed_and_others_follow_from_it():
    session = anna_against()
    assert session.position == cc.Position.start(seed=17)
    one, other = played_out(session).next_round(), played_out(session).next_round()
    assert one == other
    assert one.game.rounds[1].seed == other.game.rounds[1].seed != 17
    assert played_out(anna_against(seed=18)).next_round().position != one.position


def test_an_agent_plays_the_same_after_a_resume_and_after_a_take_back():
    session = anna_against("random").play("7dx7c")
    assert Session.resume(str(session.game)).choose() == session.choose()
    answered = session.play_agents()
    assert answered.take_back().play("7dx7c").play_agents() == answered


def test_an_agent_decides_from_what_it_sees():
    """The hand of the person is exchanged for other unseen cards: the agent plays the same."""
    seen = []
    agent = FunctionAgent(lambda turn: seen.append(turn) or turn.position.legal_moves()[0])
    session = Session.start(players=[Player("Anna"), Player("B", agent)], seed=17).play("7dx7c")
    session.choose()
    assert str(seen[0].position.hands["a"]) == "???"
    assert seen[0].position.stock is None
    assert [str(before.hands["a"]) for before, _ in seen[0].plays] == ["????"]


@pytest.mark.parametrize("agent", ["hint:seconds=3000", "hint:samples=1000000", "level-10"])
def test_an_agent_is_stopped_while_it_thinks(agent):
    """It plays its best so far; without a stop the same agent plays as ever."""
    asked = []
    players = [Player("Anna"), Player("B", parse_agent(agent))]
    session = Session.start(players=players, seed=17).play("7dx7c")
    move = session.choose(lambda: asked.append(1) or True)
    assert asked
    assert session.position.is_legal(str(move))
    if agent == "level-10":
        assert session.choose(lambda: False) == session.choose()


def test_a_player_sees_no_other_hand_and_no_stock():
    session = anna_against().play("7dx7c").play_agents()
    seen = session.seen_by(session.players[0])
    assert str(seen.position.hands["b"]) == "???"
    assert seen.position.stock is None
    hidden = {*session.position.hands["b"].cards, *session.position.stock}
    assert not any(card in str(seen) for card in hidden)


def test_a_play_is_taken_back_with_the_answer():
    session = anna_against()
    after = session.play("7dx7c").play_agents()
    assert len(after.round.plays) == 2
    assert after.take_back() == session
    with pytest.raises(cc.CasinoError, match="no play of a person"):
        session.take_back()
    second = Session.start(players=players("greedy", "Anna"), seed=17).play_agents()
    with pytest.raises(cc.CasinoError, match="no play of a person"):
        second.take_back()


def test_the_last_play_of_a_round_is_taken_back():
    session = played_out(anna_against())
    back = session.take_back()
    assert back.to_play == session.players[0]
    assert played_out(back).score == session.score


def test_two_people_take_back_one_play():
    session = Session.start(players=players("Anna", "Ben"), seed=17).play("7dx7c").play("9h")
    anna, ben = session.players
    assert [str(move) for move in session.take_back().round.plays] == ["7dx7c"]
    assert session.take_back(ben) == session.take_back()
    assert session.take_back(anna).round.plays == ()
    with pytest.raises(cc.CasinoError, match="no play of Ben"):
        session.take_back().take_back(ben)


def test_notes_of_plays_that_are_left_stay():
    session = Session.resume("[A Anna] [B Ben] [Seed 17] 7dx7c! {good} 9h? {bad}")
    back = session.take_back()
    assert back.game.rounds[0].notes == {1: cc.Note("!", None, ("good",))}


def test_seats_rotate_and_players_do_not():
    session = played_out(anna_against()).next_round()
    anna, other = session.players
    assert session.seating == "ba"
    assert session.player_at("a") == other
    assert session.seat_of(anna) == "b"
    assert session.to_play == other


def test_the_chances_of_a_match():
    session = played_out(anna_against())
    assert session.equity == cc.match_equity(session.score, leader="b")
    assert anna_against().equity is None
    assert played_out(anna_against(target="none")).equity is None
    assert played_out(table("standard,players=3")).equity is None
    assert played_out(anna_against(rules="standard,sweep=2")).equity is None


def test_a_match_without_a_target_goes_on():
    session = anna_against(target="none")
    for _ in range(5):
        session = played_out(session)
        assert not session.is_over
        session = session.next_round()
    assert session.number == 6


def test_a_match_that_is_over():
    session = played_out(anna_against(target=1, seed=1))
    assert session.is_over
    with pytest.raises(cc.CasinoError, match="the match is over"):
        session.next_round()
    assert Session.resume(str(session.game)) == session


def test_what_does_not_fit_is_refused():
    session = anna_against()
    with pytest.raises(cc.CasinoError, match="round 1 is not finished"):
        session.next_round()
    with pytest.raises(cc.CasinoError, match="Anna is to play"):
        session.choose()
    with pytest.raises(cc.CasinoError, match="the round is over"):
        played_out(session).choose()
    with pytest.raises(cc.IllegalMoveError, match="does not hold"):
        session.play("9c")
    with pytest.raises(cc.CasinoError, match="1 for 2 seats"):
        Session.start(players=players("Anna"))
    with pytest.raises(cc.CasinoError, match="same name"):
        Session.start(players=players("Anna", "Anna"))
    for name in ("", " \n", "\x1b[2J", "x" * 41, "\ud800"):
        with pytest.raises(cc.CasinoError):
            Player(name)
    with pytest.raises(cc.CasinoError, match="an Agent"):
        Player("x", "greedy")


def test_a_game_goes_on_from_a_record_with_other_players():
    tags = '[A "Anna"] [B "Ben"] [AgentB "greedy"] [Event "an evening"] [GameSeed 5]'
    record = f"{tags} [Seed 17] 7dx7c 9h 2s"
    players = [Player("Cleo"), Player("", parse_agent("careful"))]
    session = Session.from_record(record, at=2, players=players, seed=8)
    assert session.names == ("Cleo", "careful")
    assert [str(move) for move in session.round.plays] == ["7dx7c"]
    assert (session.seed, session.game.tags["Event"]) == (8, "an evening")
    assert Session.resume(str(session.game)) == session
    assert len(Session.from_record(record, players=players).round.plays) == 3
    for bad, words in (
        ("table=2s5h8dKc hands=As7c9hTd/????", "every card"),
        ("[Seed 1] 3h Kz", "Kz"),
    ):
        with pytest.raises(cc.CasinoError, match=words):
            Session.from_record(bad, players=players)
    with pytest.raises(cc.CasinoError, match="1 for 2 seats"):
        Session.from_record(record, players=players[:1])


def test_agents_of_the_same_name_are_told_apart():
    session = Session.start("standard,players=3", players=players("Anna", "greedy", "greedy"))
    assert session.names == ("Anna", "greedy", "greedy II")
    assert Session.resume(str(session.game)) == session


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('[A "Anna"]', "no round"),
        ('[AgentB "os:system"] [Seed 17] *', "not one of the program's own"),
        ('[AgentB "greedy:samples=1"] [Seed 17] *', "greedy has no options"),
        ('[GameSeed "-1"] [Seed 17] *', "GameSeed"),
        (f'[GameSeed "{"9" * 5000}"] [Seed 17] *', "GameSeed"),
        ("[Table 2s5h8dKc] [Hand a:As7c9hTd] *", "every card"),
        ('[A "x"] [B "x"] [Seed 17] 7cx7d', "line 1, column 27"),
        ("\x00", "cannot|neither|empty|expected"),
    ],
)
def test_a_record_that_cannot_be_continued_is_refused(text, words):
    with pytest.raises(cc.CasinoError, match=words) as caught:
        Session.resume(text)
    assert "\n" not in str(caught.value)


def test_an_agent_of_a_module_must_be_named_again():
    own = FunctionAgent(last_legal)
    session = Session.start(players=[Player("Anna"), Player("", own)], seed=17).play("7dx7c")
    with pytest.raises(cc.CasinoError, match="name it again"):
        Session.resume(str(session.game))
    assert Session.resume(str(session.game), agents={"b": own}) == session


def last_legal(turn):
    return turn.position.legal_moves()[-1]


def test_a_record_from_elsewhere_is_continued_by_people():
    session = Session.resume("[Seed 17] 7dx7c")
    assert session.names == ("Player A", "Player B")
    assert session.play("9h").to_play.name == "Player A"


def test_a_file_that_is_no_record(tmp_path):
    path = tmp_path / "x"
    with pytest.raises(cc.NotationError, match="cannot read"):
        Session.load(path)
    path.write_bytes(b"x" * 5_000_000)
    with pytest.raises(cc.NotationError, match="too long"):
        Session.load(path)


def test_a_save_that_fails_keeps_the_last_one(tmp_path, monkeypatch):
    path = tmp_path / "game.txt"
    anna_against().save(path)
    before = path.read_bytes()
    monkeypatch.setattr(os, "replace", lambda *_: (_ for _ in ()).throw(OSError("full")))
    with pytest.raises(OSError, match="full"):
        anna_against().play("7dx7c").save(path)
    assert path.read_bytes() == before
    assert os.listdir(tmp_path) == ["game.txt"]


def test_names_of_all_scripts_are_saved(tmp_path):
    path = tmp_path / "game.txt"
    session = Session.start(players=[Player("Zoë"), Player("Борис")], seed=1)
    session.save(path)
    assert Session.load(path).names == ("Zoë", "Борис")


def test_random_seeds_differ():
    assert new_seed() != new_seed()
    assert json.loads(json.dumps(new_seed())) < 2**53
    assert Session.start(players=players("Anna", "Ben")).seed != 0


# What happens at a play


def outcomes(rules="standard", seed=3):
    """The outcomes of a round that agents play."""
    count = len(cc.Rules.parse(rules).seats)
    session = Session.start(rules, players=players(*["careful"] * count), seed=seed)
    found = []
    while not session.round.is_over:
        session = session.play(session.choose())
        found.append((session, session.outcome))
    return found


@pytest.mark.parametrize("rules", RULES)
def test_outcomes_add_up_to_the_round(rules):
    found = outcomes(rules)
    last = found[-1][0].position
    taken = [0] * last.rules.sides
    sweeps = [0] * last.rules.sides
    for _, one in found:
        side = last.rules.side_of(last.rules.seats.index(one.seat))
        taken[side] += len(one.taken)
        sweeps[side] += one.sweep
    end = found[-1][1]
    assert [one.over for _, one in found].index(True) == len(found) - 1
    if end.last_taker:
        taken[last.rules.side_of(last.rules.seats.index(end.last_taker))] += len(end.last_cards)
    assert sum(taken) == 52
    assert tuple(sweeps) == last.sweeps
    points = [0] * last.rules.sides
    for step in end.steps:
        if step.side is not None:
            points[step.side] += step.points
    assert tuple(points) == last.score()
    assert sum(one.last_deal for _, one in found) == 1
    deals = sum(one.dealt for _, one in found)
    assert deals == (0 if last.rules.draw else found[-1][0].round.deal - 1)


def test_an_outcome_is_the_same_as_its_seat_sees_it():
    for session, one in outcomes():
        seen = session.seen_by(session.player_at(one.seat))
        assert last_outcome(seen) == replace(one, steps=last_outcome(seen).steps)
    assert last_outcome(cc.Round(cc.Position.start(seed=1))) is None


def test_builds_made_and_taken():
    position = cc.Position.parse("table=2s5h builds=9b:4c5d hands=7c9c9hTd/9d8s3s4s")
    added = last_outcome(cc.Round(position).play("7c+2s+[9b]=9"))
    assert str(added.build) == "9a*:2s4c5d7c"
    assert not added.taken
    taken = last_outcome(cc.Round(position).play("9cx[9b]"))
    assert [str(build) for build in taken.builds_taken] == ["9b:4c5d"]
    assert str(taken.taken) == "4c5d9c"
    assert taken.build is None
