"""Answers for many positions, from arrays and files."""
