#!/usr/bin/python3
"""Runs Dask and SLURM on this machine and checks their results; see test.sh.

Environment: POINTS (500000), TILES (9), SECTIONS (comma separated, default all),
CLUSTER_WORK (a folder for the files; default: a temporary one that is removed),
SUPERPOINT_PDAL (default: build/pdal).
"""
import glob
import json
import math
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
PDAL = os.environ.get("SUPERPOINT_PDAL", os.path.join(ROOT, "build", "pdal"))
POINTS, TILES = int(os.environ.get("POINTS", 500_000)), int(os.environ.get("TILES", 9))
FIGURES = {}


def say(text):
    print(f"--- {text}", flush=True)


def check(condition, text):
    print(("ok   " if condition else "FAIL ") + text, flush=True)
    if not condition:
        FIGURES.setdefault("failed", []).append(text)


def pdal(*args, fails=False, **options):
    done = subprocess.run([PDAL, *args], capture_output=True, text=True, **options)
    if (done.returncode != 0) != fails:
        raise SystemExit(f"pdal {' '.join(args)}: exit code {done.returncode}\n{done.stderr}")
    return done.stderr if fails else done.stdout


def plan(project, *args):
    if not os.path.exists(os.path.join(project, "plan.json")):
        print(pdal("superpoint", "survey", "plan", "--output", project, *args).strip())
    return json.load(open(os.path.join(project, "plan.json"), encoding="utf-8"))


def dask(project, *args, fails=False):
    command = ["/usr/bin/python3", os.path.join(HERE, "dask", "superpoint_dask.py"), project, "--pdal", PDAL,
               "--quiet", *args]
    done = subprocess.run(command, capture_output=True, text=True)
    if (done.returncode != 0) != fails:
        raise SystemExit(f"{' '.join(command)}: exit code {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stderr if fails else json.loads(done.stdout.splitlines()[-1])


def named(complaint):
    return next((line for line in complaint.splitlines() if line.startswith("failed:")), complaint.strip())[:300]


def port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


class Cluster:
    """dask-scheduler and dask-worker processes on loopback."""

    def __init__(self, work, workers):
        self.work, self.port = work, port()
        self.address = f"tcp://127.0.0.1:{self.port}"
        self.start_scheduler()
        self.workers = [self.worker() for _ in range(workers)]

    def start(self, *command):
        log = open(os.path.join(self.work, "dask.log"), "ab")
        return subprocess.Popen(command, stdout=log, stderr=log, start_new_session=True)

    def start_scheduler(self):
        self.scheduler = self.start("dask-scheduler", "--host", "127.0.0.1", "--port", str(self.port), "--no-dashboard")

    def worker(self):
        return self.start("dask-worker", self.address, "--nthreads", "1", "--no-nanny", "--no-dashboard",
                          "--local-directory", self.work)

    @staticmethod
    def kill(process):
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()

    def close(self):
        for process in [*self.workers, self.scheduler]:
            if process.poll() is None:
                self.kill(process)


def marks(project, step="embed"):
    """Returns the number of sources or tiles that have finished a step."""
    folder = os.path.join(project, step)
    return len([n for n in os.listdir(folder) if n.endswith(".json")]) if os.path.isdir(folder) else 0


def wait_for(condition, seconds, text):
    end = time.time() + seconds
    while not condition():
        if time.time() > end:
            raise SystemExit(f"waited {seconds} s for {text}")
        time.sleep(0.05)


def survey(work):
    path = os.path.join(work, "survey")
    if os.path.isdir(path):
        return path
    say(f"a simulated survey of {POINTS} points")
    os.makedirs(path + ".new", exist_ok=True)
    whole = os.path.join(work, "whole.las")
    subprocess.run(["go", "run", "./testdata/scanner", "-scene", "village", "-mode", "aerial", "-points", str(POINTS),
                    "-seed", "1", "-o", whole], cwd=ROOT, check=True)
    # several files, as in real surveys; their borders are not those of the tiles
    b = json.loads(pdal("info", "--summary", whole))["summary"]["bounds"]
    x, y = (0.55 * b["minx"] + 0.45 * b["maxx"], 0.4 * b["miny"] + 0.6 * b["maxy"])
    for k, limits in enumerate((f"X[:{x}),Y[:{y})", f"X[{x}:],Y[:{y})", f"X[:{x}),Y[{y}:]", f"X[{x}:],Y[{y}:]")):
        pdal("translate", whole, os.path.join(path + ".new", f"part_{k}.laz"), "range",
             f"--filters.range.limits={limits}", "--writers.las.minor_version=4", "--writers.las.forward=all")
    os.rename(path + ".new", path)
    return path


def extent(path):
    b = json.loads(pdal("info", "--summary", path))["summary"]["bounds"]
    return max(b["maxx"] - b["minx"], b["maxy"] - b["miny"])


def same_bytes(a, b):
    """Reports whether two projects have the same result files, byte by byte."""
    def files(project):
        return {os.path.basename(p): open(p, "rb").read() for p in glob.glob(os.path.join(project, "out", "*.laz"))}
    return files(a) == files(b) != {}


def test_workers(work, files, reference, *options):
    """Any number of workers and order of tasks gives the files of one process."""
    for workers in (1, 2):
        say(f"Dask, {workers} worker(s)")
        project = os.path.join(work, f"dask{workers}")
        plan(project, *options, *files)
        cluster = Cluster(work, workers)
        try:
            FIGURES[f"dask_{workers}_seconds"] = dask(project, "--scheduler", cluster.address, "--shuffle",
                                                      str(workers))["wall_seconds"]
        finally:
            cluster.close()
        check(same_bytes(reference, project), f"{workers} worker(s) in shuffled order: files equal byte by byte")


def test_failures(work, files, reference, *options):
    say("a worker killed mid-run, then the scheduler restarted")
    project = os.path.join(work, "killed")
    p = plan(project, *options, *files)
    cluster = Cluster(work, 2)
    try:
        command = ["/usr/bin/python3", os.path.join(HERE, "dask", "superpoint_dask.py"), project, "--pdal", PDAL,
                   "--quiet", "--scheduler", cluster.address]
        client = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        wait_for(lambda: marks(project) >= 2, 600, "two tiles")
        cluster.kill(cluster.workers[0])
        wait_for(lambda: marks(project) >= 4, 600, "more tiles after a worker was killed")
        cluster.kill(cluster.scheduler)
        cluster.kill(cluster.workers[1])
        client.kill()
        client.wait()
        done = marks(project)
        check(2 <= done < len(p["tiles"]), f"{done} of {len(p['tiles'])} tiles were done when the scheduler died")
        cluster.start_scheduler()
        cluster.workers = [cluster.worker(), cluster.worker()]
        kept = {n: os.stat(os.path.join(project, "embed", n)).st_mtime_ns
                for n in os.listdir(os.path.join(project, "embed")) if n.endswith(".json")}
        dask(project, "--scheduler", cluster.address)
        check(all(os.stat(os.path.join(project, "embed", n)).st_mtime_ns == t for n, t in kept.items()),
              "the rerun skipped finished tiles")
        check(same_bytes(reference, project), "after both, the result is the same, byte by byte")
    finally:
        cluster.close()

    say("one corrupt source")
    project, whole, victim = os.path.join(work, "corrupt"), os.path.join(work, "whole.laz"), files[1]
    plan(project, *options, *files)
    shutil.copy2(victim, whole)
    os.truncate(victim, os.path.getsize(victim) * 2 // 3)
    complaint = dask(project, "--workers", "2", "--retries", "0", fails=True)
    check(os.path.basename(victim) in complaint, f"it is named: {named(complaint)}")
    check(marks(project, "cut") > 0, f"{marks(project, 'cut')} other sources are cut")
    shutil.copy2(whole, victim)
    dask(project, "--workers", "2")
    check(same_bytes(reference, project), "with the file repaired, a rerun finishes with the same bytes")
    full_disk(work, files, reference, options)


def full_disk(work, files, reference, options):
    say("a full disk")
    disk = os.path.join(work, "disk")
    os.makedirs(disk, exist_ok=True)
    megabytes = max(8, POINTS * 60 // 1_000_000)
    mount = subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={megabytes}m", "tmpfs", disk], capture_output=True)
    if mount.returncode != 0:
        print("skip a full disk: no right to mount a tmpfs here")
        return
    try:
        project = os.path.join(disk, "project")
        plan(project, *options, *files)
        complaint = dask(project, "--workers", "2", "--retries", "0", fails=True)
        check("tile" in complaint or "source" in complaint, f"it is named: {named(complaint)}")
        subprocess.run(["mount", "-o", f"remount,size={megabytes * 20}m", disk], check=True)
        dask(project, "--workers", "2")
        check(same_bytes(reference, project), "with more room, a rerun finishes with the same bytes")
    finally:
        subprocess.run(["umount", disk], check=False)


SLURM = """ClusterName=superpoint
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={control}
SlurmdPort={node}
AuthType=auth/munge
AuthInfo=socket={work}/munge.socket
CryptoType=crypto/munge
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
SelectTypeParameters=CR_CPU
SchedulerParameters=sched_interval=2
AccountingStorageType=accounting_storage/none
JobAcctGatherType=jobacct_gather/none
ReturnToService=2
MpiDefault=none
NodeName={host} NodeAddr=127.0.0.1 CPUs={cpus} State=UNKNOWN
PartitionName=main Nodes={host} Default=YES MaxTime=INFINITE State=UP
"""


def test_slurm(work, files, reference, *options):
    say("SLURM: munged, slurmctld, slurmd")
    if os.getuid() != 0:
        print("skip SLURM: its daemons are started as root here")
        return
    base = tempfile.mkdtemp(prefix="slurm-")  # munge wants a short, private path
    os.chmod(base, 0o755)
    for name in ("state", "spool"):
        os.makedirs(os.path.join(base, name))
    key = os.path.join(base, "munge.key")
    with open(key, "wb") as file:
        file.write(os.urandom(1024))
    os.chmod(key, 0o400)
    host = socket.gethostname().split(".")[0]
    with open(os.path.join(base, "slurm.conf"), "w", encoding="ascii") as file:
        file.write(SLURM.format(host=host, work=base, control=port(), node=port(), cpus=os.cpu_count()))
    environment = {**os.environ, "SLURM_CONF": os.path.join(base, "slurm.conf"), "PDAL": PDAL}
    daemons = []

    def daemon(*command):
        daemons.append(subprocess.Popen(command, env=environment, stdout=open(os.path.join(base, "daemons.log"), "ab"),
                                        stderr=subprocess.STDOUT))

    def output_of(*command):
        return subprocess.run(command, env=environment, capture_output=True, text=True).stdout

    try:
        daemon("munged", "--foreground", "--force", f"--key-file={key}", f"--socket={base}/munge.socket",
               f"--pid-file={base}/munged.pid", f"--log-file={base}/munged.log", f"--seed-file={base}/munge.seed")
        wait_for(lambda: os.path.exists(os.path.join(base, "munge.socket")), 30, "munged")
        daemon("slurmctld", "-D")
        daemon("slurmd", "-D", "-N", host)
        wait_for(lambda: "idle" in output_of("sinfo", "-h", "-o", "%T"), 60, "an idle node")
        project = os.path.join(work, "slurm")
        plan(project, *options, *files)
        begin = time.time()
        done = subprocess.run([os.path.join(HERE, "slurm", "submit.sh"), project, "--partition=main"], env=environment,
                              capture_output=True, text=True)
        check(done.returncode == 0, f"submitted: job {done.stdout.strip()} {done.stderr.strip()}")
        wait_for(lambda: not output_of("squeue", "-h").strip(), 3600, "the jobs")
        FIGURES["slurm_seconds"] = time.time() - begin
        check(same_bytes(reference, project), "SLURM: the result is the same, byte by byte")
    except BaseException:
        subprocess.run("tail -n 20 *.log", shell=True, cwd=base, check=False)
        raise
    finally:
        for process in reversed(daemons):
            process.terminate()
            process.wait()
        shutil.rmtree(base, ignore_errors=True)


def main():
    sections = os.environ.get("SECTIONS", "workers,failures,slurm").split(",")
    keep = os.environ.get("CLUSTER_WORK")
    work = os.path.abspath(keep or tempfile.mkdtemp(prefix="superpoint-cluster-"))
    os.makedirs(work, exist_ok=True)
    try:
        folder = survey(work)
        files = sorted(os.path.join(folder, n) for n in os.listdir(folder))
        options = ["--tile", f"{math.ceil(extent(os.path.join(work, 'whole.las')) / math.sqrt(TILES)) + 1}"]
        say("one process")
        one = os.path.join(work, "one")
        plan(one, *options, *files)
        pdal("superpoint", "survey", "run", "--threads", "1", one)
        for name, test in (("workers", test_workers), ("failures", test_failures), ("slurm", test_slurm)):
            if name in sections:
                test(work, files, one, *options)
    finally:
        if not keep:
            shutil.rmtree(work, ignore_errors=True)
    print(json.dumps(FIGURES, indent=1))
    if FIGURES.get("failed"):
        sys.exit(f"{len(FIGURES['failed'])} checks failed")
    print("all checks passed")


if __name__ == "__main__":
    main()
