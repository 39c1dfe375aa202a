"""The pages: an application is a list of routes plus middleware; a handler turns a request into a response."""
