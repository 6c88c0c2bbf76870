"""Text of and for other programs."""
