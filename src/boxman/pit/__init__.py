"""The pit: live tables. The only room with a clock, a socket or a die."""
