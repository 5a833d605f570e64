# SPDX-License-Identifier: BSD-3-Clause
"""Surveys on Dask have the results of one machine, also when workers, processes, files and disks fail."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest
import superpoint
from conftest import PAGE, PDAL, documented, pdal, results, wait_for
from distributed import LocalCluster


def units(project, step):
    """Returns the number of units of a step that have finished."""
    return len(list((project / step).glob("[0-9]*.json"))) if (project / step).is_dir() else 0


def test_two_workers_equal_one_machine(survey, project, cluster, program):
    watched = program("")
    with cluster.get_client() as client:
        counts = superpoint.survey(project, client, pdal=str(watched.path))
    assert results(project) == survey.want
    assert counts["points"] == 60000
    assert counts["superpoints"] > 100
    for unit in superpoint._cluster.list_units(project, PDAL):
        assert unit.done, unit
        assert watched.started(unit.name) == 1, unit


def test_a_finished_survey_starts_nothing_but_its_count(survey, project, cluster, program):
    pdal("superpoint", "survey", "run", project)
    watched = program("")
    with cluster.get_client() as client:
        counts = superpoint.survey(project, client, pdal=str(watched.path))
    assert counts["points"] == 60000
    assert watched.log.read_text() == "number 0\n"


def test_a_tile_begins_when_its_sources_are_cut(survey, project, cluster, program):
    listed = superpoint._cluster.list_units(project, PDAL)
    tile = next(unit for unit in listed if unit.step == "embed" and len(unit.needs) < 4)
    other = next(f"cut {k}" for k in range(4) if f"cut {k}" not in tile.needs)
    mark = project / "embed" / f"{tile.number}.json"
    waits = program(f"""
	if [ "$unit" = "{other}" ]; then
		for k in $(seq 3000); do [ -e '{mark}' ] && break; sleep 0.1; done
		[ -e '{mark}' ] || {{ echo "no tile was embedded before all sources were cut" >&2; exit 1; }}
	fi""")
    with cluster.get_client() as client:
        superpoint.survey(project, client, pdal=str(waits.path), retries=0)
    assert results(project) == survey.want


def test_a_killed_worker(survey, project, program, tmp_path):
    """The process of the worker ends with it, and its unit is started on another one."""
    pid = tmp_path / "pid"
    hangs = program(f"""
	if [ "$unit" = "embed 1" ] && [ "$times" = 0 ]; then
		echo $$ $PPID > '{pid}.new'
		mv '{pid}.new' '{pid}'
		sleep 600
	fi""")
    with LocalCluster(n_workers=2, threads_per_worker=1, resources={"memory": 4e9}, dashboard_address=":0",
                      silence_logs=50) as two, two.get_client() as client:
        runs = threading.Thread(target=superpoint.survey, args=(project, client), kwargs={"pdal": str(hangs.path)})
        runs.start()
        wait_for(pid.exists, "a unit")
        unit, worker = map(int, pid.read_text().split())
        assert worker in client.run(os.getpid).values()
        os.kill(worker, signal.SIGKILL)
        wait_for(lambda: not Path(f"/proc/{unit}").exists(), "the end of the process of a killed worker", 30)
        runs.join(300)
        assert not runs.is_alive()
    assert hangs.started("embed 1") == 2
    assert results(project) == survey.want


def test_a_unit_that_fails_once(survey, project, cluster, program):
    fails = program("""
	if [ "$unit" = "coarsen 0" ] && [ "$times" = 0 ]; then echo "fails once" >&2; exit 1; fi""")
    with cluster.get_client() as client:
        superpoint.survey(project, client, pdal=str(fails.path))
    assert fails.started("coarsen 0") == 2
    assert results(project) == survey.want


def test_a_unit_that_always_fails_is_named(project, cluster, program):
    fails = program("""
	if [ "$unit" = "coarsen 0" ]; then echo "out of luck" >&2; exit 1; fi""")
    with cluster.get_client() as client, pytest.raises(superpoint.Error, match="coarsen 0: exit code 1: out of luck"):
        superpoint.survey(project, client, pdal=str(fails.path))
    assert fails.started("coarsen 0") == 2
    assert units(project, "coarsen") > 0, "other tiles were not coarsened"
    assert units(project, "merge") == 0


def test_a_corrupt_source(survey, project, cluster, spare):
    whole = spare.stat().st_size
    os.truncate(spare, whole * 2 // 3)
    with cluster.get_client() as client:
        with pytest.raises(superpoint.Error, match=spare.name):
            superpoint.survey(project, client, pdal=PDAL, retries=0)
        assert units(project, "cut") == 3, "other sources were not cut"
        assert not (project / "out").exists()
        shutil.copy2(spare.with_suffix(".kept"), spare)
        superpoint.survey(project, client, pdal=PDAL)
    assert results(project) == survey.want


def test_a_full_disk(survey, cluster, tmp_path):
    disk = tmp_path / "disk"
    disk.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=6m", "tmpfs", disk], capture_output=True, text=True)
    if mounted.returncode:
        pytest.skip(f"a full disk needs the right to mount a small one: {mounted.stderr.strip()}")
    try:
        project = survey.plan(disk / "project")
        with cluster.get_client() as client:
            with pytest.raises(superpoint.Error, match="is full; make room there"):
                superpoint.survey(project, client, pdal=PDAL, retries=0)
            subprocess.run(["mount", "-o", "remount,size=200m", disk], check=True)
            superpoint.survey(project, client, pdal=PDAL)
        assert results(project) == survey.want
    finally:
        subprocess.run(["umount", disk], check=True)


def test_memory_of_workers(project):
    with LocalCluster(processes=False, n_workers=1, threads_per_worker=1, dashboard_address=":0") as none, \
            none.get_client() as client, pytest.raises(superpoint.Error, match="--resources memory=64e9"):
        superpoint.survey(project, client, pdal=PDAL)
    with LocalCluster(processes=False, n_workers=1, threads_per_worker=1, resources={"memory": 1e6},
                      dashboard_address=":0") as small, \
            small.get_client() as client, pytest.raises(superpoint.Error, match="the largest worker has 0.0 GB"):
        superpoint.survey(project, client, pdal=PDAL)


def test_what_is_missing_is_named(tmp_path, project):
    with pytest.raises(superpoint.Error, match="plan first"):
        superpoint.survey(tmp_path / "nothing", pdal=PDAL)
    with pytest.raises(superpoint.Error, match="install PDAL"):
        superpoint.survey(project, pdal="no-such-pdal")


def test_the_module_can_be_imported(project):
    """import superpoint.survey must not hide the function."""
    code = "import superpoint.survey; superpoint.survey('nothing', pdal='no-such-pdal')"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert "install PDAL" in done.stderr


def files(folder):
    """Returns the content of the files of a map by name, but for those with the time of their making."""
    timed = ("objects.gpkg", "report.html", ".objects.gpkg.superpoint", ".report.html.superpoint")
    paths = (path for path in folder.rglob("*") if path.is_file() and path.name not in timed)
    return {str(path.relative_to(folder)): path.read_bytes() for path in paths}


def test_a_map(survey, cluster, tmp_path, program):
    """A map with a tile that fails once has the bytes of `pdal superpoint map`, and each tile is computed once."""
    inputs = sorted(survey.sources.iterdir())
    pdal("superpoint", "map", "--target_size", "100", "--resolution", "2", *inputs, tmp_path / "one")
    fails = program(f"""
	if [ "$unit" = "tile {inputs[0]}" ] && [ "$times" = 0 ]; then echo "fails once" >&2; exit 1; fi""")
    with cluster.get_client() as client:
        made = superpoint.map(inputs, tmp_path / "map", client, stage={"target_size": 100}, pdal=str(fails.path),
                              resolution=2)
    assert made == tmp_path / "map"
    assert (made / "objects.gpkg").exists()
    assert files(made) == files(tmp_path / "one")
    assert fails.started(f"tile {inputs[0]}") == 2
    assert fails.started(f"tile {inputs[1]}") == 1


def test_maps_of_no_tiles(tmp_path):
    other = tmp_path / "other.laz"
    other.write_text("no points")
    for inputs, words in ((), "no file"), ([tmp_path / "none.laz"], "none.laz: No such"), ([other], "no LAS or LAZ"):
        with pytest.raises(superpoint.Error, match=words):
            superpoint.map(inputs, tmp_path / "map", pdal=PDAL)


def test_documented_commands(survey, tmp_path):
    """Runs the blocks of the page, with this machine as host: a worker of its own, a scheduler, and Python."""
    blocks = documented("sh dask") + [f"python - <<'end'\n{text}\nend" for text in documented("python")]
    assert len(blocks) >= 3
    bin_folder = tmp_path / "bin"
    bin_folder.mkdir()
    (bin_folder / "pdal").symlink_to(PDAL)
    environment = {**os.environ, "PATH": f"{bin_folder}:{Path(sys.executable).parent}:{os.environ['PATH']}"}
    scheduler = [block for block in blocks if "dask scheduler" in block]
    assert len(scheduler) == 1
    blocks.remove(scheduler[0])
    project = survey.plan(tmp_path / "project")
    daemons = subprocess.Popen(["bash", "-c", scheduler[0].replace("//host", "//127.0.0.1") + "\nwait"],
                               cwd=tmp_path, env=environment, start_new_session=True, stderr=subprocess.DEVNULL)
    try:
        for block in blocks:
            done = subprocess.run(["bash", "-euc", block.replace("//host", "//127.0.0.1")], cwd=tmp_path,
                                  env=environment, capture_output=True, text=True, timeout=300)
            assert done.returncode == 0, f"{block}\n{done.stdout}{done.stderr}"
            assert results(project) == survey.want, block
            shutil.rmtree(project)
            survey.plan(project)
    finally:
        os.killpg(daemons.pid, signal.SIGTERM)
        daemons.wait(60)


def test_simulated_table():
    """The page has what simulate.py prints."""
    here = Path(__file__).parent
    table = subprocess.run([sys.executable, here / "simulate.py"], capture_output=True, text=True, check=True).stdout
    assert table.count("\n") == 7
    assert f"simulate.py -->\n{table}<!-- end" in PAGE.read_text(encoding="utf-8")


def test_arguments(project):
    module = [sys.executable, "-m", "superpoint.survey"]
    done = subprocess.run([*module, project, "--scheduler", "tcp://127.0.0.1:1"], capture_output=True, text=True,
                          env={**os.environ, "DASK_DISTRIBUTED__COMM__TIMEOUTS__CONNECT": "1s"})
    assert done.returncode == 1
    assert "superpoint: tcp://127.0.0.1:1" in done.stderr
    assert "Traceback" not in done.stderr
    assert subprocess.run(module, capture_output=True).returncode == 2
