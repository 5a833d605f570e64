# SPDX-License-Identifier: BSD-3-Clause
"""Callbacks of the library, and calls that Ctrl-C cancels.

A call of the library runs without the GIL on a thread of its own, and the caller's
thread waits where Python can interrupt it. Callbacks run on that other thread.
"""

from __future__ import annotations

import ctypes as c
import logging
import os
import re
import threading
from collections.abc import Callable, Mapping
from typing import Any, Union

from ._cloud import CBuffer, Cloud
from ._library import CONVERT, LOG, PROGRESS, READ, RELEASE, CHost, Error, library, plain, take

Progress = Union[bool, Callable[[str, float], None]]

_log = logging.getLogger("superpoint")
_REFERENCES = re.compile("--(default|override)_srs")
_levels = {0: logging.ERROR, 1: logging.WARNING, 2: logging.INFO, 3: logging.DEBUG}


class Bar:
    """A tqdm bar for each step, if tqdm is installed."""

    bar: Any = None

    def __call__(self, step: str, fraction: float) -> None:
        try:
            from tqdm.auto import tqdm
        except ImportError:
            return
        if self.bar is None or step != self.bar.desc.rstrip(": "):
            self.close()
            self.bar = tqdm(total=100, desc=step, unit="%", leave=False)
        self.bar.update(max(0, round(100 * fraction) - self.bar.n))

    def close(self) -> None:
        """Ends the bar that is shown."""
        if self.bar is not None:
            self.bar.close()
        self.bar = None


class Host:
    """An sp_host: progress, messages, and the clouds that commands read by name."""

    def __init__(self, progress: Progress = False, clouds: Mapping[str, Cloud] | None = None) -> None:
        self._clouds = clouds or {}
        self._progress = Bar() if progress is True else (progress or None)
        self._raised: BaseException | None = None
        self._buffer: CBuffer | None = None  # the library reads it until the next file
        self._text: Any = None
        self._callbacks = LOG(self._message), PROGRESS(self._report), READ(self._read)
        log, report, read = self._callbacks
        self.c = CHost(None, log, report if self._progress else PROGRESS(), read, CONVERT(), RELEASE())

    def call(self, function: str, *arguments: object) -> int:
        """Calls a function whose last two parameters are host and error."""
        return self.finish(lambda error: getattr(library(), function)(*arguments, c.byref(self.c), error))

    def text(self, body: Callable[[Any], int | None]) -> str:
        """Runs body, which returns a text of the library, as finish does."""
        return take(self.finish(lambda error: body(error) or 0))

    def finish(self, body: Callable[[Any], int]) -> int:
        """Runs body with the address for the text of an error. Raises Error with that text, or
        the exception of a callback."""
        error = c.c_void_p()
        result: list[int] = []
        done = threading.Event()  # not Thread.join, which an interrupt can end early (bpo-45274)
        gate = threading.Lock()  # begun and given_up exclude each other: an interrupt may arrive during start()
        begun = given_up = False
        library()

        def work() -> None:
            nonlocal begun
            with gate:
                if given_up:
                    return
                begun = True
            try:
                result.append(body(c.byref(error)))
            finally:
                done.set()

        try:
            threading.Thread(target=work, daemon=True).start()
            while not done.wait(0.05):  # with a timeout, so that signals are handled on every system
                pass
        except BaseException:  # an interrupt; the library must not run longer than its arguments exist
            with gate:
                given_up = True
            if begun:
                self._cancel_until(done)
            take(error.value)
            raise
        finally:
            if isinstance(self._progress, Bar):
                self._progress.close()
        raised, self._raised = self._raised, None
        text = take(error.value)
        if result and result[0]:
            return result[0]
        if raised is not None and not (isinstance(raised, Error) and text):
            raise raised
        raise Error(self._reworded(text) or "the library was not reached; this is a bug") from raised

    def _cancel_until(self, done: threading.Event) -> None:
        """Cancels until the call has ended; once is not enough if it had not begun. Ignores further interrupts."""
        while not done.is_set():
            try:
                library().sp_cancel(c.byref(self.c))
                done.wait(0.05)
            except KeyboardInterrupt:
                pass

    def _keep(self, raised: BaseException) -> None:
        self._raised = raised
        library().sp_cancel(c.byref(self.c))

    def _message(self, _: object, level: int, text: bytes) -> None:
        _log.log(_levels.get(level, logging.INFO), "%s", self._reworded(plain(text)))

    def _reworded(self, text: str) -> str:
        """Returns a message with the names of clouds in memory, and the argument that sets a spatial reference."""
        for path in self._clouds:
            text = text.replace(path, os.path.basename(path))
        return _REFERENCES.sub("srs= of superpoint.Cloud.of", text)

    def _report(self, _: object, step: bytes, fraction: float) -> None:
        try:
            if self._progress is not None and self._raised is None:
                self._progress(step.decode(), fraction)
        except BaseException as raised:  # an exception must not pass through C
            self._keep(raised)

    def _read(self, _: object, path: bytes, dimensions: bytes, cloud: Any) -> int | None:
        name = path.decode("utf-8", "replace")
        try:
            wanted = [d for d in dimensions.decode().split(",") if d]
            self._buffer = Cloud.of(self._clouds.get(name, name)).lend(wanted)
            cloud[0] = c.pointer(self._buffer.c)
            return None
        except Exception as raised:
            text = str(raised) if name in str(raised) else f"{name}: {raised}"
            self._raised = Error(text)
            self._raised.__cause__ = raised
        except BaseException as raised:
            text = "interrupted"
            self._keep(raised)
        self._text = c.create_string_buffer(text.encode("utf-8", "replace"))
        return c.addressof(self._text)
