"""The engine: a process that answers requests of other programs, in lines of JSON."""
