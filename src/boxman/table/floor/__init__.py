"""People and dice at a table: who may do what, where the dice are, what waits, what is shown."""
