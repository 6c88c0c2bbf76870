"""What is legal, and what a play does."""
