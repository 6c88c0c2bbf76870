"""Cards, rule sets, and the structs that all compiled code shares."""
