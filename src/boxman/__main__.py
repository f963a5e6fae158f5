"""`python -m boxman`."""

from boxman.cli import main

main()
