"""Superpoints of files, through a temporary folder for a single file.

The folder is beside the output, so that the last step is a rename: a file with the
name of the output is always complete, and no other file remains, however the run
ends.
"""

import contextlib
import json
import os
import shutil
import tempfile

from . import child


def keep(inputs, output):
    """Raises ValueError if output is one of the inputs, also by another path: the input would be lost."""
    for path in filter(None, inputs):
        if os.path.exists(path) and os.path.exists(output) and os.path.samefile(path, output):
            raise ValueError(f"the output {output} is the file of the input {path}, which would be lost; name another "
                             "output")


@contextlib.contextmanager
def beside(output, inputs):
    """Yields a temporary folder beside output, and removes it afterwards. Output must not be an input."""
    keep(inputs, output)
    parent = os.path.dirname(os.path.abspath(output))
    os.makedirs(parent, exist_ok=True)
    folder = tempfile.mkdtemp(prefix=".superpoint-", dir=parent)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def superpoints(program, source, output, options, crs="", on_line=None, cancelled=None):
    """Writes source with superpoints by `pdal superpoint segment`; returns the name
    of the result and the stage's metadata. The name is output, unless this PDAL
    cannot write its classes or scan angles to LAZ: then it ends in .las.

    Raises ValueError, child.Failed or child.Cancelled; output is then untouched.
    """
    with beside(output, [source, options.get("model")]) as folder:
        done = segment(program, [source], os.path.join(folder, os.path.basename(output)), options, crs,
                       on_line=on_line, cancelled=cancelled, folder=folder)[0]
        if done.get("error"):
            raise ValueError(f"{source}: {done['error']}")
        target = os.path.join(os.path.dirname(output), os.path.basename(done["output"]))
        os.replace(done["output"], target)
    return target, done["stage"]


def segment(program, sources, output, options, crs="", on_line=None, cancelled=None, folder=""):
    """Runs `pdal superpoint segment` and returns what it prints for each source: the
    fields input, and error, or output and stage, the metadata of the stage."""
    arguments = ["superpoint", "segment", "--format=json"]
    arguments += [f"--{name}={_text(value)}" for name, value in options.items()]
    arguments += [f"--default_srs={crs}"] if crs else []
    try:
        printed = program.run(arguments + sources + [output], on_line, cancelled, folder)
    except child.Failed as e:
        if not e.output.startswith("{"):
            raise
        printed = e.output  # some files failed; the lines name them
    return [json.loads(line) for line in printed.splitlines()]


def _text(value):
    return {True: "true", False: "false"}.get(value, value) if isinstance(value, bool) else value
