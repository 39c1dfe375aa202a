"""`python -m plainwright` is the same as `plainwright`."""

from plainwright.cli.main import main

if __name__ == "__main__":
    main()
