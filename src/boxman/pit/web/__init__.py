"""The web: requests, sockets and pages."""
