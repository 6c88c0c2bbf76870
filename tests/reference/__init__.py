"""An independent reference of the rules: plain Python, slow and obvious.

It shares no code with ``casino_core`` and imports nothing compiled, so that the two can be played
side by side. Cards are two-letter strings such as ``'As'``; ``'?'`` is a card that is not known.

options            the rule options, the presets, and the reader of ``royal,sweep=0``
rules              positions, legal moves, playing a move, deals, scoring a round
notation           position lines and moves as text, both ways
search             perft and plain minimax
matches            the end of a match
random_positions   random rounds under random rules
"""
