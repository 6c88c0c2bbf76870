"""The best play from what a seat can see."""
