from casino_core.game.position import Position

def coalition_values(
    position: Position, plays: int, seconds: float | None = None
) -> list[int] | None: ...
