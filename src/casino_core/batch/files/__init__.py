"""Reading files of positions and writing files of answers, with resume after a stop."""
