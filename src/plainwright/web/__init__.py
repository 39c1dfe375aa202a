"""The shell of a web server of ours, whatever it serves.

headers      what every answer tells the browser: load and do nearly nothing, keep nothing
bodies       bodies of requests, read whole up to a limit, in a form that we know
requests     where a request comes from, and whether a page of ours sent it
replies      JSON, redirects, and requests that are answered with no
throttle     slowing down those who guess
connections  heads of requests that are small and come soon
serving      one process, one address, a clean stop

Handlers and sessions belong to the application.
"""
