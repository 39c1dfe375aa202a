"""The checks that come with plainwright, a file for each kind."""
