"""Runs one command of `pdal superpoint` whose result is one file."""

import os

from . import base, child, pipeline


def run(found, command, values, files, feedback, folder=""):
    """Runs `pdal superpoint COMMAND` with options and files and returns what it
    prints; folder, if any, is removed when QGIS is killed meanwhile."""
    arguments = ["superpoint", *command.split()]
    for name, value in values.items():
        arguments.append(f"--{name}={'true' if value is True else 'false' if value is False else value}")
    return found.run(arguments + files, listener(feedback), feedback.isCanceled, folder)


def listener(feedback):
    """Takes the lines of standard error: progress, and messages."""
    progress = child.Progress()

    def on_line(line):
        if progress.take(line):
            feedback.setProgress(progress.percent)
        elif line.strip():
            feedback.pushConsoleInfo(line)

    return on_line


def write(found, command, values, sources, output, feedback):
    """Runs a command that reads sources and writes output, which is there only
    when it is whole. Returns what the command prints."""
    with pipeline.beside(output, sources) as folder:
        written = os.path.join(folder, os.path.basename(output))
        printed = run(found, command, values, sources + [written], feedback, folder)
        if not os.path.exists(written):
            raise ValueError(f"pdal superpoint {command} wrote no {os.path.basename(output)}")
        os.replace(written, output)
    feedback.setProgress(100)
    return printed


class Command(base.Algorithm):
    """A command that reads a cloud with superpoints; COMMAND is its name."""

    COMMAND = ""

    def name(self):
        return self.COMMAND

    def displayName(self):
        return self.COMMAND.capitalize()
