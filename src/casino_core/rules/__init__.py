"""Cards, rule sets, random numbers, and the structs that all compiled code shares."""
