"""The live table: its desk, what it remembers, its dice, crew and automatic players."""
