"""Exact values with open cards: alpha-beta search for two sides, max-n for more."""
