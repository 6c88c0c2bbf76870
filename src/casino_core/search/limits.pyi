from collections.abc import Callable
from typing import NoReturn

from typing_extensions import disjoint_base

@disjoint_base
class Watched:
    def __reduce__(self) -> NoReturn: ...
    def halt(self) -> None: ...
    def watch_by(self, ask: Callable[[], object] | None) -> None: ...
