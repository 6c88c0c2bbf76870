from casino_core.core.position import Position

def coalition_values(
    position: Position, plays: int, seconds: float | None = None
) -> list[int] | None: ...
