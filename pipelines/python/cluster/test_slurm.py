# SPDX-License-Identifier: BSD-3-Clause
"""Surveys on SLURM have the results of one machine, with munged, slurmctld and slurmd of the distribution."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from conftest import PDAL, documented, pdal, results, wait_for

CONFIGURATION = """ClusterName=superpoint
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={control}
SlurmdPort={node}
AuthType=auth/munge
AuthInfo=socket={work}/munge.socket
StateSaveLocation={work}/state
SlurmdSpoolDir={work}/spool
SlurmctldPidFile={work}/slurmctld.pid
SlurmdPidFile={work}/slurmd.pid
SlurmctldLogFile={work}/slurmctld.log
SlurmdLogFile={work}/slurmd.log
SlurmUser=root
SlurmdUser=root
ProctrackType=proctrack/pgid
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU_Memory
SchedulerParameters=sched_interval=1,sched_min_interval=0
AccountingStorageType=accounting_storage/none
JobAcctGatherType=jobacct_gather/none
ReturnToService=2
MpiDefault=none
MaxArraySize=1001
NodeName={host} NodeAddr=127.0.0.1 CPUs=2 RealMemory=8000 State=UNKNOWN
PartitionName=main Nodes={host} Default=YES MaxTime=INFINITE State=UP
"""


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        port: int = one.getsockname()[1]
        return port


class Slurm:
    """The daemons of a cluster of one node, and the environment of its commands."""

    def __init__(self, work: Path) -> None:
        self.work = work
        self.daemons: list[subprocess.Popen[bytes]] = []
        for folder in ("state", "spool"):
            (work / folder).mkdir()
        self.host = socket.gethostname().split(".")[0]
        (work / "slurm.conf").write_text(
            CONFIGURATION.format(host=self.host, work=work, control=free_port(), node=free_port()))
        self.environment = {**os.environ, "SLURM_CONF": str(work / "slurm.conf"), "PDAL": PDAL}

    def start(self) -> None:
        key = self.work / "munge.key"
        key.write_bytes(os.urandom(1024))
        key.chmod(0o400)
        sock = self.work / "munge.socket"
        self.daemon("munged", "--foreground", "--force", f"--key-file={key}", f"--socket={sock}",
                    f"--pid-file={self.work}/munged.pid", f"--log-file={self.work}/munged.log",
                    f"--seed-file={self.work}/munge.seed")
        wait_for(sock.exists, "munged", 60)
        self.daemon("slurmctld", "-D")
        self.daemon("slurmd", "-D", "-N", self.host)
        wait_for(lambda: "idle" in self.run("sinfo", "-h", "-o", "%T"), "an idle node of SLURM", 120)

    def daemon(self, *command: str) -> None:
        with (self.work / "daemons.log").open("ab") as log:
            self.daemons.append(subprocess.Popen(command, env=self.environment, stdout=log, stderr=log))

    def run(self, *command: str) -> str:
        """Runs a command and returns what it prints."""
        return subprocess.run(command, env=self.environment, capture_output=True, text=True).stdout

    def wait(self) -> None:
        """Waits until no job is left."""
        wait_for(lambda: not self.run("squeue", "-h").strip(), "the jobs of SLURM", 900)

    def stop(self) -> None:
        for daemon in reversed(self.daemons):
            daemon.terminate()
            daemon.wait(60)


@pytest.fixture(scope="module")
def slurm() -> Iterator[Slurm]:
    missing = [name for name in ("munged", "slurmctld", "slurmd", "sbatch") if not shutil.which(name)]
    if missing:
        pytest.skip(f"SLURM is not tested: {', '.join(missing)} missing; apt-get install slurmctld slurmd slurm-client "
                    "munge")
    if os.getuid() != 0:
        pytest.skip("SLURM is not tested: its daemons are started as root here")
    work = Path(tempfile.mkdtemp(prefix="slurm-"))  # munge wants a short path that others cannot write to
    work.chmod(0o755)
    daemons = Slurm(work)
    try:
        daemons.start()
        yield daemons
    finally:
        daemons.stop()
        shutil.rmtree(work, ignore_errors=True)


def script(project: Path) -> str:
    return pdal("superpoint", "survey", "plan", "--output", project, "--slurm")


def logs(project: Path) -> dict[str, str]:
    """Returns the logs of jobs by step and task."""
    return {path.stem: path.read_text() for path in (project / "log").iterdir()}


def test_arrays_equal_one_machine(survey, project, slurm):
    """Each step is an array with a task for each source or tile, also with memory that lets one task run at a time."""
    done = subprocess.run(["bash", "-s", "--", "--partition=main"], input=script(project), env=slurm.environment,
                          capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    last = done.stdout.strip()
    shown = slurm.run("scontrol", "show", "job", last)
    assert "Dependency=afterok:" in shown
    assert "MinMemoryNode=" in shown
    slurm.wait()
    tiles = len(list((project / "embed").glob("[0-9]*.json")))
    assert tiles >= 4
    want = {"cut": 4, "embed": tiles, "coarsen": tiles, "merge": 1, "refine": tiles, "number": 1, "classify": 1,
            "label": tiles, "write": 4}
    listing = json.loads(pdal("superpoint", "survey", "plan", "--output", project, "--json"))
    assert set(want) == {unit["step"] for unit in listing["units"]}
    text = logs(project)
    for step, count in want.items():
        assert sorted(name for name in text if name.startswith(step)) == sorted(f"{step}-{k}" for k in range(count))
    assert results(project) == survey.want, text


def test_a_corrupt_source_is_named_and_repaired(survey, project, slurm, spare):
    os.truncate(spare, spare.stat().st_size * 2 // 3)
    for repaired in (False, True):
        if repaired:
            shutil.copy2(spare.with_suffix(".kept"), spare)
        done = subprocess.run(["bash", "-s"], input=script(project), env=slurm.environment, capture_output=True,
                              text=True)
        assert done.returncode == 0, done.stderr
        slurm.wait()
        if not repaired:
            assert any(spare.name in text for text in logs(project).values()), logs(project)
            assert not (project / "coarsen").exists(), "a step began although the one before had failed"
    assert results(project) == survey.want, logs(project)


def test_documented_script(survey, tmp_path, slurm):
    """Runs the block of the page, whose PDAL is the one that is tested."""
    (block,) = documented("sh slurm")
    project = survey.plan(tmp_path / "project")
    bin_folder = tmp_path / "bin"
    bin_folder.mkdir()
    (bin_folder / "pdal").symlink_to(PDAL)
    environment = {**slurm.environment, "PATH": f"{bin_folder}:{os.environ['PATH']}"}
    done = subprocess.run(["bash", "-euc", block], cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    slurm.wait()
    assert results(project) == survey.want, logs(project)
