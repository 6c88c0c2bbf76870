"""Reviews of played games: the cost of each play, and the luck of the deals."""
