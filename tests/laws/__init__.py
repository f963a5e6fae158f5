"""The laws of procedure, proved by exploring every order of calls."""
