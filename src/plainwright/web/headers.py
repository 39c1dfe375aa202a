"""What every answer tells the browser: what the page may load and do, which is nearly nothing, and no caching."""

from __future__ import annotations

from starlette.types import ASGIApp, Message, Receive, Scope, Send

__all__ = ["HeadersMiddleware", "safe_headers"]

_POLICY = "; ".join(
    [
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "connect-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    ]
)


def safe_headers(*, https: bool) -> dict[str, str]:
    """What every answer says to the browser."""
    headers = {
        "content-security-policy": _POLICY,
        "x-content-type-options": "nosniff",
        # The host alone, never a path, which may hold a link's token. Under "no-referrer" browsers would hide from us,
        # too, that a form is our own.
        "referrer-policy": "strict-origin",
        "cross-origin-opener-policy": "same-origin",
        "cross-origin-resource-policy": "same-origin",
        "permissions-policy": "camera=(), geolocation=(), microphone=()",
        "x-frame-options": "DENY",
        "cache-control": "no-store",
    }
    if https:
        headers["strict-transport-security"] = "max-age=31536000"
    return headers


class HeadersMiddleware:
    """Adds the safe headers to whatever is answered; a handler may have set its own."""

    def __init__(self, app: ASGIApp, *, https: bool) -> None:
        self._app = app
        self._headers = [(k.encode(), v.encode()) for k, v in safe_headers(https=https).items()]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""

        async def send_safely(message: Message) -> None:
            if message["type"] == "http.response.start":
                own = list(message.get("headers", ()))
                names = {name.lower() for name, _ in own}
                message["headers"] = own + [pair for pair in self._headers if pair[0] not in names]
            await send(message)

        await self._app(scope, receive, send_safely if scope["type"] == "http" else send)
