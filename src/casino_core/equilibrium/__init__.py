"""Endings before the last deal as games of hidden information: equilibria and best responses."""
