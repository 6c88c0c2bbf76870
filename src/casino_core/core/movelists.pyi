from typing import final

from casino_core.core.moves import Move

@final
class LazyMoves:
    def __iter__(self) -> LazyMoves: ...
    def __next__(self) -> Move: ...
