from casino_core.game.position import Position
from casino_core.search.limits import Watched

def coalition_values(
    position: Position, plays: int, seconds: float | None = None, watched: Watched | None = None
) -> list[int] | None: ...
