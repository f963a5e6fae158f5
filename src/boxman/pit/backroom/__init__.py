"""The back room: simulations beside the tables, and seals."""
