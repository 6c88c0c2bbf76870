from typing import final

from casino_core.game.move import Move

@final
class LazyMoves:
    def __iter__(self) -> LazyMoves: ...
    def __next__(self) -> Move: ...
