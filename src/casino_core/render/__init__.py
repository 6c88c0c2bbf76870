"""Pictures of positions, rounds and answers."""
