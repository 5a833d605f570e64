"""Outputs in a temporary folder beside their final place.

The last step is a rename: a file with the name of the output is always complete, and no
other file remains, however the run ends.
"""

import contextlib
import os
import shutil
import tempfile


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
