# SPDX-License-Identifier: BSD-3-Clause
"""What the tests of clusters share: a survey of four files, its results on one machine, and a pdal that fails on
purpose."""

from __future__ import annotations

import os
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from distributed import LocalCluster

PDAL = os.environ["SUPERPOINT_PDAL"]
SCAN = os.environ["SUPERPOINT_SCAN"]  # a simulated village of 60,000 points
PAGE = Path(__file__).parents[2] / "survey.md"


def pdal(*arguments: str | Path) -> str:
    """Runs pdal and returns what it prints."""
    done = subprocess.run([PDAL, *map(str, arguments)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def wait_for(condition: Callable[[], bool], what: str, seconds: float = 300) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, f"waited {seconds} s for {what}"
        time.sleep(0.05)


def results(project: Path) -> dict[str, bytes]:
    """Returns the content of the results of a survey, and of their records, by name."""
    return {path.name: path.read_bytes() for path in sorted((project / "out").iterdir())}


def documented(mark: str) -> list[str]:
    """Returns the blocks of the page of surveys that have a mark."""
    blocks = PAGE.read_text(encoding="utf-8").split("\n```")[1::2]
    return [block.removeprefix(mark + "\n") for block in blocks if block.startswith(mark + "\n")]


class Survey:
    """A survey of four files in several tiles."""

    def __init__(self, folder: Path) -> None:
        self.sources = folder / "sources"
        self.sources.mkdir()
        box = {"maxx": 0.0, "minx": 0.0, "maxy": 0.0, "miny": 0.0}
        for line in pdal("info", "--summary", SCAN).splitlines():
            name, _, value = line.strip().rstrip(",").partition(": ")
            if name.strip('"') in box:
                box[name.strip('"')] = float(value)
        x = box["minx"] + 0.45 * (box["maxx"] - box["minx"])
        y = box["miny"] + 0.6 * (box["maxy"] - box["miny"])
        for name, limits in {
            "southwest": f"X[:{x}),Y[:{y})",
            "southeast": f"X[{x}:],Y[:{y})",
            "northwest": f"X[:{x}),Y[{y}:]",
            "northeast": f"X[{x}:],Y[{y}:]",
        }.items():
            pdal("translate", SCAN, self.sources / f"{name}.laz", "range", f"--filters.range.limits={limits}",
                 "--writers.las.forward=all", "--writers.las.minor_version=4")
        self.tile = str(0.4 * max(box["maxx"] - box["minx"], box["maxy"] - box["miny"]))
        self.folder = folder
        self.run()

    def run(self) -> None:
        """Runs the survey on one machine."""
        one = self.plan(self.folder / "one")
        pdal("superpoint", "survey", "run", "--threads", "1", one)
        self.want = results(one)
        assert len([name for name in self.want if name.endswith(".laz")]) == 4

    def plan(self, project: Path) -> Path:
        pdal("superpoint", "survey", "plan", "--output", project, "--tile", self.tile, self.sources)
        return project


@pytest.fixture(scope="session")
def survey(tmp_path_factory: pytest.TempPathFactory) -> Survey:
    return Survey(tmp_path_factory.mktemp("survey"))


@pytest.fixture
def project(survey: Survey, tmp_path: Path) -> Path:
    """A planned survey."""
    return survey.plan(tmp_path / "project")


@pytest.fixture(scope="session")
def cluster() -> Iterator[LocalCluster]:
    """Two workers, each a process with one thread and memory for one large unit at a time."""
    with LocalCluster(n_workers=2, threads_per_worker=1, resources={"memory": 4e9}, dashboard_address=":0") as two:
        yield two


class Program:
    """A program in place of pdal: it lists the units that it starts, and does something before some of them."""

    def __init__(self, folder: Path, before: str) -> None:
        self.path, self.log = folder / "pdal", folder / "started"
        self.path.write_text(
            f"""#!/bin/bash
case "$2 $3" in
"survey run") unit="$5 $6" ;;
segment*) unit="tile ${{@: -3:1}}" ;;
*) unit= ;;
esac
if [ -n "$unit" ]; then
	times=$(grep -cx "$unit" '{self.log}')
	echo "$unit" >> '{self.log}'
	{before}
fi
exec '{PDAL}' "$@"
""")
        self.path.chmod(0o755)
        self.log.touch()

    def started(self, unit: str) -> int:
        """Returns how often a unit was started."""
        return self.log.read_text().splitlines().count(unit)


@pytest.fixture
def program(tmp_path: Path) -> Callable[[str], Program]:
    """Makes a program in place of pdal."""
    return lambda before: Program(tmp_path, before)


@pytest.fixture
def spare(survey: Survey) -> Iterator[Path]:
    """A source that a test may damage."""
    path = survey.sources / "northeast.laz"
    kept = path.with_suffix(".kept")
    shutil.copy2(path, kept)
    yield path
    shutil.copy2(kept, path)
    kept.unlink()
    shutil.rmtree(survey.folder / "one")
    survey.run()  # the plan has the time of the file
