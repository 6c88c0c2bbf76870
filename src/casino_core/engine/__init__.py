"""Answers for other programs, a line of JSON each."""
