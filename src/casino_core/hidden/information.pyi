from casino_core.game.position import Position
from casino_core.game.round import Round

def key(seen: Position | Round, seat: str) -> int: ...
