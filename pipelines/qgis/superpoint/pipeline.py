"""Superpoints of one file: the PDAL pipeline, run into a temporary folder.

The folder lies beside the output, so that the last step is one rename: a file
under the output's name is always whole, and nothing else remains, however the
run ends.
"""

import contextlib
import json
import os
import shutil
import tempfile

from . import child


def keep(inputs, output):
    """Raises ValueError if output is one of the inputs, under whatever name: it would be lost."""
    for path in filter(None, inputs):
        if os.path.exists(path) and os.path.exists(output) and os.path.samefile(path, output):
            raise ValueError(f"the output {output} is the file of the input {path}, which would be lost; name another output")


@contextlib.contextmanager
def beside(output, inputs):
    """A temporary folder beside output, which goes away with all that is in it. Output must not be an input."""
    keep(inputs, output)
    parent = os.path.dirname(os.path.abspath(output))
    os.makedirs(parent, exist_ok=True)
    folder = tempfile.mkdtemp(prefix=".superpoint-", dir=parent)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def superpoints(program, source, output, options, crs="", on_percent=None, cancelled=None, on_message=None):
    """Writes source with superpoints to output and returns the stage's metadata.

    output ends in .las, .laz or .copc.laz. crs is for files that name none.
    Raises ValueError, child.Failed or child.Cancelled; output is then untouched.
    """
    writer = _writer(program, output, program_has_color(program, source))
    with beside(output, [source, options.get("model")]) as folder:
        written = os.path.join(folder, os.path.basename(output))
        text = os.path.join(folder, "pipeline.json")
        metadata = os.path.join(folder, "metadata.json")
        reader = {"filename": source}
        if crs:
            reader["default_srs"] = crs
        stages = [reader, {"type": "filters.superpoint", **options}, {**writer, "filename": written}]
        with open(text, "w", encoding="utf-8") as file:
            json.dump(stages, file, ensure_ascii=False)
        progress = child.Progress()

        def on_line(line):
            if not progress.take(line):
                if line.strip() and on_message:
                    on_message(line)
            elif on_percent:
                on_percent(progress.percent)

        program.run(["pipeline", text, "--metadata", metadata], on_line, cancelled, folder)
        with open(metadata, encoding="utf-8") as file:
            stage = json.load(file)["stages"]["filters.superpoint"]
        os.replace(written, output)
    return stage


def program_has_color(program, source):
    """Tells whether the file has colours, without reading the points of LAS."""
    return '"Red"' in program.run(["info", "--schema", source])


def _writer(program, output, color):
    """The writer for the output's ending, keeping every dimension."""
    lower = output.lower()
    if lower.endswith(".copc.laz"):
        if not program.has("writers.copc"):
            raise ValueError(f"{output}: this PDAL has no writers.copc (it came with 2.4); choose a name that ends in .laz")
        return {"type": "writers.copc", "forward": "all", "extra_dims": "all"}
    if not lower.endswith((".las", ".laz")):
        raise ValueError(f"{output}: choose a name that ends in .laz, .las or .copc.laz")
    # LAS 1.4: older versions are written without a description of the new dimensions.
    return {"type": "writers.las", "forward": "all", "minor_version": 4,
            "dataformat_id": 7 if color else 6, "extra_dims": "all"}


def explain(error):
    """What child.Failed means for a user, with advice where there is some."""
    text = str(error)
    if "legacy classification" in text:
        text += "\nThis PDAL cannot write some of the file's classes to LAZ; choose an output that ends in .las."
    return text
