"""What stands behind the organiser's pages.

door        logging in and out, and the guard of all other pages
cache       quality of raters and results, computed again only when the log has grown and the last time was a while ago
dashboard   the study, one rater, the latest events
actions     what its buttons do
results     what the study found so far, and downloads
"""
