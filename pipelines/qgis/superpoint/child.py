"""Runs one child process with progress and cancelling.

The child is in a process group of its own, and cancelling ends the whole group.
If QGIS itself is killed, the child ends too (not on Windows). This module does not
import QGIS.
"""

import os
import queue
import re
import signal
import subprocess
import threading
import time
from collections import deque

WINDOWS = os.name == "nt"
POLL = 0.1  # seconds between checks for cancelling
GRACE = 3.0  # seconds between SIGTERM and SIGKILL of a cancelled group
MANY = re.compile(r"(\d+)/(\d+) .*: (\w+)$")
KEPT = 40  # lines of messages kept for the report of a failure

# Runs "$@" for as long as standard input stays open, which is while QGIS runs;
# then ends it and removes the folder $1.
GUARD = """
folder=$1; shift
exec 3<&0 4>&2 2>/dev/null
"$@" </dev/null 2>&4 3<&- 4>&- & child=$!
exec 4>&-
{ read _ <&3; trap '' TERM; kill "$child"; } & watch=$!
wait "$child"; code=$?
kill "$watch"; wait "$watch"
if [ $? -eq 0 ] && [ -n "$folder" ]; then rm -rf -- "$folder"; fi
exit $code
"""


class Cancelled(Exception):
    """The user cancelled; the child is gone."""


class Failed(Exception):
    """The child ended with an exit code other than 0."""

    def __init__(self, code, lines, output=""):
        self.code, self.lines, self.output = code, list(lines), output
        text = "\n".join(self.lines) or "it wrote no message"
        super().__init__(f"pdal ended with exit code {code}:\n{text}")


def run(command, environment, on_line=None, cancelled=None, folder=""):
    """Runs command (a list) and returns its standard output.

    on_line is called with each line of standard error. cancelled is called ten times
    a second; if it returns True, the group of the child is ended and Cancelled is
    raised. An exit code other than 0 raises Failed. folder is
    removed if QGIS is killed during the run.
    """
    process = _start(command, environment, folder)
    lines, kept, output = queue.Queue(), deque(maxlen=KEPT), []
    readers = [
        threading.Thread(target=_read_lines, args=(process.stderr, lines), daemon=True),
        threading.Thread(target=lambda: output.append(process.stdout.read()), daemon=True),
    ]
    for reader in readers:
        reader.start()
    try:
        _watch(process, lines, kept, on_line, cancelled)
    finally:
        if process.poll() is None:
            _end(process)
        for reader in readers:
            reader.join(GRACE)
        for stream in (process.stdin, process.stdout, process.stderr):
            stream.close()
    if process.returncode != 0:
        raise Failed(process.returncode, kept, b"".join(output).decode("utf-8", "replace"))
    return b"".join(output).decode("utf-8", "replace")


def _start(command, environment, folder):
    """Starts the child as a member of a new group, with three pipes."""
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    if WINDOWS:
        flags = subprocess.CREATE_NEW_PROCESS_GROUP | subprocess.CREATE_NO_WINDOW
        return subprocess.Popen(command, env=environment, creationflags=flags, **pipes)
    if not os.access(command[0], os.X_OK):
        raise PermissionError(f"{command[0]} cannot be run")
    guarded = ["/bin/sh", "-c", GUARD, "sh", folder, *command]
    return subprocess.Popen(guarded, env=environment, start_new_session=True, **pipes)


def _read_lines(stream, lines):
    for raw in stream:
        lines.put(raw.decode("utf-8", "replace").rstrip("\r\n"))
    lines.put(None)


def _watch(process, lines, kept, on_line, cancelled):
    """Passes on messages until the child has closed its standard error and ended."""
    ended = False
    while not ended or process.poll() is None:
        if cancelled is not None and cancelled():
            raise Cancelled()
        try:
            line = lines.get(timeout=POLL)
        except queue.Empty:
            continue
        if line is None:
            ended = True
            continue
        if not line.startswith("PROGRESS "):
            kept.append(line)
        if on_line is not None:
            on_line(line)


def _end(process):
    """Ends the group of the child: by SIGTERM, then by SIGKILL."""
    if WINDOWS:
        subprocess.run(["taskkill", "/T", "/F", "/PID", str(process.pid)], capture_output=True, check=False)
        process.wait()
        return
    for number in (signal.SIGTERM, signal.SIGKILL):
        if not _signal(process.pid, number):
            break
        until = time.monotonic() + GRACE
        while time.monotonic() < until and _signal(process.pid, 0):
            process.poll()
            time.sleep(POLL / 5)
    process.wait()


def _signal(group, number):
    """Sends a signal to a group; reports whether it has processes."""
    try:
        os.killpg(group, number)
    except (ProcessLookupError, PermissionError):  # macOS raises the latter for zombies
        return False
    return True


class Progress:
    """Computes one percentage from lines `PROGRESS step percent`. With several files, step
    is `number/count name: step`."""

    # Share of the time that each step begins at, measured on an aerial tile.
    BEGIN = {"neighbors": 10, "embedding": 30, "graph": 70, "partition": 75, "output": 88, "end": 95}

    def __init__(self):
        self.percent = 0.0
        self.file, self.part = 1, 0.0

    def take(self, line):
        """Reads a line; reports whether it is one of progress."""
        if not line.startswith("PROGRESS "):
            return False
        step, _, number = line[len("PROGRESS "):].rpartition(" ")
        names = list(self.BEGIN)
        file, count = 1, 1
        of_many = MANY.match(step)
        if of_many:
            file, count, step = int(of_many.group(1)), int(of_many.group(2)), of_many.group(3)
        if step in self.BEGIN and step != "end" and number.isdigit():
            if file != self.file:
                self.file, self.part = file, 0.0
            begin, end = self.BEGIN[step], self.BEGIN[names[names.index(step) + 1]]
            # A step may report more than one pass over the points.
            self.part = max(self.part, begin + (end - begin) * min(int(number), 100) / 100)
            self.percent = max(self.percent, (100 * (file - 1) + self.part) / count)
        return True
