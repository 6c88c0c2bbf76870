"""Agents, and series of rounds between them."""
