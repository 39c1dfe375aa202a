"""Simplification over HTTP, for editors and programs on this machine or for a group of people.

settings      what is served, and its limits
work          texts simplified in threads, a few paragraphs at a time
api           `/v1`: our own interface, described by `openapi`
evaluation    `/v1/evaluate`: what is asked, and its scores
documents     `/v1/documents`: a file in, a file out
languagetool  `/v2`: the interface that editors already speak
page          the writer's page; `review` is what it is told
glossary      what hard words mean
limits        how many requests a minute, and whose
keys          who may ask, if not everybody may
metrics       counts of requests
app           routes, and what stands before them

Nothing is kept and no text is logged.
"""
