# SPDX-License-Identifier: BSD-3-Clause
"""Draws the lines at which faults are planted (TRUST.md, "Planted faults"): draw.py SEED COUNT [COMMIT].

A layer's chance is the square root of its lines of code; all lines of a layer have the same chance. Left out are
tests, testdata, blank lines, comments, imports, and lines without a letter or digit.
"""
import collections
import math
import random
import re
import subprocess
import sys

# The layer of a file is that of the first pattern that matches.
LAYERS = [
    ("none", r"_test\.go$|testdata/|(^|/)test[^/]*\.py$|^pipelines/(bench|pictures)/"),
    ("Python and QGIS", r"\.py$"),
    ("plugins (C++)", r"^filter/pdal/.*\.(cpp|hpp|c|h)$"),
    ("partition", r"^partition/.*\.(go|c|h|cu)$"),
    ("training", r"^embed/train/.*\.(go|c|h)$"),
    ("embed/classes, embed/modelfile", r"^embed/(classes|modelfile)/.*\.go$"),
    ("embed", r"^embed/.*\.(go|c|h|cu)$"),
    ("filter and packages, cexport", r"^(filter|cexport)/.*\.(go|c|h)$"),
    ("pipelines/files, pipelines/job", r"^pipelines/(files|job)/.*\.go$"),
    ("pipelines/land, pipelines/shapes", r"^pipelines/(land|shapes|layers|superpointstats|tables)/.*\.go$"),
    ("pipelines/commands", r"^pipelines/.*\.go$"),
]
NO_CODE = re.compile(r"^\s*(//|/?\*|#|package |import |from |include |\"\"\"|\W*$)")


def layer_of(path):
    """The layer of a file, or None."""
    return next((name for name, pattern in LAYERS if re.search(pattern, path)), None)


def code_lines(text):
    """The numbers and texts of lines with code."""
    imports = text.startswith("import (") or "\nimport (" in text
    for number, line in enumerate(text.split("\n"), 1):
        if imports:
            imports = line != ")"
        elif not NO_CODE.match(line):
            yield number, line.strip()


def git(*args):
    return subprocess.run(["git", *args], check=True, capture_output=True, encoding="utf-8").stdout


def main():
    seed, count = int(sys.argv[1]), int(sys.argv[2])
    commit = sys.argv[3] if len(sys.argv) > 3 else "HEAD"
    lines = collections.defaultdict(list)
    for path in sorted(git("ls-tree", "-r", "--name-only", commit).splitlines()):
        layer = layer_of(path)
        if layer not in (None, "none"):
            lines[layer] += [(path, *line) for line in code_lines(git("show", f"{commit}:{path}"))]
    layers = sorted(lines)
    chances = [math.sqrt(len(lines[layer])) for layer in layers]
    chosen = random.Random(seed)
    for k, layer in enumerate(sorted(chosen.choices(layers, chances, k=count)), 1):
        path, number, text = chosen.choice(lines[layer])
        print(f"{k}\t{layer}\t{path}:{number}\t{text}")


if __name__ == "__main__":
    main()
