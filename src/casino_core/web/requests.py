"""Bodies of requests and errors as answers, both JSON of a bounded size."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse
from starlette.types import Receive

from casino_core._arguments import Kind
from casino_core.errors import CasinoError, quoted

__all__ = ["LARGEST_BODY", "Refused", "body_of", "drop_body", "fields_of", "problem"]

#: The largest body of a request, in bytes: a record of a long match.
LARGEST_BODY = 1_100_000
_LONGEST_WAIT = 20.0  # seconds for the whole body


class Refused(Exception):  # noqa: N818 - an answer, not a failure
    """A request that is answered with an error.

    Args:
        status: the HTTP status.
        message: one line.
    """

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status
        self.message = message


def problem(status: int, message: str) -> JSONResponse:
    """An error as an answer.

    Args:
        status: the HTTP status.
        message: what is wrong.

    Example:
        >>> problem(400, "no such card").body
        b'{"error":"no such card"}'
    """
    return JSONResponse({"error": " ".join(message.split())}, status)


async def body_of(request: Request) -> dict[str, Any]:
    """The JSON object in the body of a request.

    Args:
        request: the request.

    Raises:
        Refused: the body is too large, too slow, or not a JSON object.
    """
    try:
        async with asyncio.timeout(_LONGEST_WAIT):
            text = await _read(request)
    except TimeoutError:
        raise Refused(408, "the body of the request did not come in time") from None
    except ClientDisconnect:
        raise Refused(400, "the request was broken off") from None
    try:
        found = json.loads(text or b"{}", parse_constant=_no_constant)
    except (ValueError, RecursionError):
        raise Refused(400, "the body of the request is not JSON") from None
    if not isinstance(found, dict):
        raise Refused(400, "the body of the request is not a JSON object")
    return found


async def _read(request: Request) -> bytes:
    parts, size = [], 0
    async for part in request.stream():
        size += len(part)
        if size > LARGEST_BODY:
            raise Refused(413, f"the request is larger than {LARGEST_BODY} bytes")
        parts.append(part)
    return b"".join(parts)


async def drop_body(receive: Receive) -> None:
    """Read the body of a request that is refused, up to the largest that is taken.

    A connection that is closed with a body unread is reset, which may cost the client the answer.

    Args:
        receive: the channel of the request.
    """
    size = 0
    with suppress(TimeoutError):
        async with asyncio.timeout(_LONGEST_WAIT):
            while size <= LARGEST_BODY:
                message = await receive()
                size += len(message.get("body", b""))
                if not message.get("more_body", False):
                    return


def _no_constant(text: str) -> object:
    raise ValueError(text)


def fields_of(
    given: Mapping[str, Any], kinds: Mapping[str, Kind[Any]], needed: tuple[str, ...] = ()
) -> dict[str, Any]:
    """The fields of a request, checked; those that are null or missing are left out.

    Args:
        given: the object of the request.
        kinds: the kind of each field.
        needed: the fields that may not be missing.

    Raises:
        CasinoError: an unknown or missing field, or a value that is not valid.

    Example:
        >>> from casino_core._arguments import SEED
        >>> fields_of({"seed": 7, "other": None}, {"seed": SEED, "other": SEED})
        {'seed': 7}
    """
    for name in given:
        if name not in kinds:
            raise CasinoError(f"no field {quoted(name)}; the fields are {', '.join(kinds)}")
    found = {name: kinds[name](name, value) for name, value in given.items() if value is not None}
    for name in needed:
        if name not in found:
            raise CasinoError(f"the field {name} is missing")
    return found
