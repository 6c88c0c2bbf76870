from typing import Self, final

from casino_core.rules.options import Rules

@final
class CompiledRules:
    def __new__(cls, rules: Rules) -> Self: ...
    @property
    def rules(self) -> Rules: ...
    def __reduce__(self) -> tuple[object, ...]: ...
