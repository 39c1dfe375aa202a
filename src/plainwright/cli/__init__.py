"""The command line: one module per sub-command, no logic of its own."""
