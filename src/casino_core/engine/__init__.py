"""Requests of other programs and their answers, one line of JSON each."""
