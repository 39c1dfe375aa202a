"""One module a version; the first makes all tables, each other changes the ones before."""
