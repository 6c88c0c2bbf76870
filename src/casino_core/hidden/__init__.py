"""What cannot be seen: facts about it, and how likely each hand is."""
