"""People: who they are, what they hold, what they may read, and the brakes they set themselves."""
