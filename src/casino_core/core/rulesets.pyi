from typing import final

from casino_core.rules import Rules

@final
class CompiledRules:
    def __init__(self, rules: Rules) -> None: ...
    @property
    def rules(self) -> Rules: ...
    def __reduce__(self) -> tuple[object, ...]: ...
