"""A page of one's own: play, hints and analysis in the browser, served on this machine only."""
