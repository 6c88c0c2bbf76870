"""Searches with open cards: exact values, and estimates where a search stops early."""
