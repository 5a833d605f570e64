# SPDX-License-Identifier: BSD-3-Clause
"""Builds the library into the wheel: the checkout's Go, by go and a C compiler.

The environment variable SUPERPOINT_TARGET names another system to build for, see
TARGETS. For Linux on x86-64 gcc compiles, as for the PDAL plugin, so that both
give the same numbers to the last bit; zig links, because it can against an old
glibc. For Windows mingw-w64's gcc does both where it is there, since it knows which
instructions a processor has. Else zig is the compiler, too.
"""

from __future__ import annotations

import os
import platform
import shlex
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

HERE = Path(__file__).parent
CHECKOUT = HERE.parent.parent

# Target: GOOS, GOARCH, zig's name of it, the wheel's platform, the library's name.
TARGETS = {
    "linux-x86_64": ("linux", "amd64", "x86_64-linux-gnu.2.28", "manylinux_2_28_x86_64", "libsuperpoint.so"),
    "linux-aarch64": ("linux", "arm64", "aarch64-linux-gnu.2.28", "manylinux_2_28_aarch64", "libsuperpoint.so"),
    "windows-x86_64": ("windows", "amd64", "x86_64-windows-gnu", "win_amd64", "libsuperpoint.dll"),
}

MINGW = "x86_64-w64-mingw32-gcc-posix"


class LibraryHook(BuildHookInterface):  # type: ignore[type-arg]
    """Adds the library and the platform's tag to the wheel."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version == "editable":
            raise SystemExit("superpoint: build a wheel (make wheel); the library is not built into the source")
        machine = {"AMD64": "x86_64"}.get(platform.machine(), platform.machine())
        target = os.environ.get("SUPERPOINT_TARGET") or f"{platform.system().lower()}-{machine}"
        if target not in TARGETS:
            raise SystemExit(f"superpoint: no wheel for {target}; SUPERPOINT_TARGET is one of {', '.join(TARGETS)}")
        goos, goarch, zig, tag, name = TARGETS[target]
        library = CHECKOUT / "build" / "wheel" / target / name
        build(goos, goarch, zig, library)
        build_data["pure_python"] = False
        build_data["tag"] = f"py3-none-{tag}"
        build_data["force_include"][str(library)] = f"superpoint/{name}"
        licences = library.with_name("LICENCES")
        run([str(CHECKOUT / "filter" / "pdal" / "packages" / "licences.sh"), str(licences)])
        folder = f"superpoint-{self.metadata.version}.dist-info/licenses"
        build_data["force_include"][str(CHECKOUT / "LICENSE")] = f"{folder}/LICENSE"
        build_data["force_include"][str(licences)] = f"{folder}/LICENCES"


def build(goos: str, goarch: str, zig: str, library: Path) -> None:
    """Builds the library with its commands, training among them."""
    folder = library.parent
    folder.mkdir(parents=True, exist_ok=True)
    library.unlink(missing_ok=True)  # go does not notice when only the arguments of the linker have changed
    compiler = linker = tool(folder, "zig-cc", f"cc -target {zig}")
    native = zig.startswith("x86_64-linux") and platform.machine() == "x86_64" and shutil.which("gcc")
    environment = dict(os.environ, CGO_ENABLED="1", GOOS=goos, GOARCH=goarch)
    environment["CC"] = "gcc" if native else str(compiler)
    if goos == "windows" and shutil.which(MINGW):  # it does not align the stack as aligned moves of AVX require
        environment.update(CC=MINGW, CGO_CFLAGS="-O2 -Wa,-muse-unaligned-vector-move")
        linker = Path(MINGW)
    tags = "train"
    if goos == "linux":  # calls to the CUDA driver are forwarded to one found at run time, as in CMakeLists.txt
        driver = CHECKOUT / os.environ.get("BUILD", "build") / "driver"  # with cuda.h, which CMake generates
        if not (driver / "cuda.h").exists():
            raise SystemExit(f"superpoint: {driver / 'cuda.h'} is missing; run make wheel, which configures the build")
        forward = CHECKOUT / "partition" / "gpu" / "driver" / "forward.c"
        run([str(compiler), "-O2", "-fPIC", f"-I{driver}", "-c", str(forward), "-o", str(folder / "forward.o")])
        run([str(tool(folder, "zig-ar", "ar")), "rcs", str(folder / "libcuda.a"), str(folder / "forward.o")])
        environment["CGO_CFLAGS"] = f"-O2 {shlex.quote(f'-I{driver}')}"
        environment["CGO_LDFLAGS"] = f"{shlex.quote(f'-L{folder}')} -ldl"
        script = CHECKOUT / "cexport" / "exports.map"
        own = ["-Wl,-soname," + library.name, f"-Wl,--version-script={script}"]
        if native:  # gcc's library reports the processor's instructions to the code; zig's reports none
            own.append(run(["gcc", "-print-libgcc-file-name"]).strip())
        linker = tool(folder, "zig-ld", f"cc -target {zig}", own)
        tags = "train,nvidia"
    flags = f"-s -w {shlex.quote(f'-extld={linker}')}"
    go = ["go", "build", "-buildmode=c-shared", "-trimpath", "-buildvcs=false", "-tags", tags]
    if goarch != "amd64":  # no fused products and sums, as in CMakeLists.txt
        go.append("-gcflags=all=-d=fmahash=qn")
    run([*go, f"-ldflags={flags}", "-o", str(library), "./cexport"], environment)
    (CHECKOUT / "-.o").unlink(missing_ok=True)  # written by zig when go tests its flags


def tool(folder: Path, name: str, arguments: str, last: Sequence[str] = ()) -> Path:
    """A program that runs zig with some arguments: go takes no words after its
    name. The headers of this machine, which cu asks for, are not the target's."""
    path = folder / name
    path.write_text(
        f"""#!/bin/sh
for word do
	shift
	[ "$word" = -I/usr/include ] || set -- "$@" "$word"
done
exec {shlex.quote(sys.executable)} -m ziglang {arguments} "$@" {shlex.join(last)}
"""
    )
    path.chmod(0o755)
    return path


def run(command: list[str], environment: dict[str, str] | None = None) -> str:
    """Runs a command in the checkout and returns what it prints."""
    if not shutil.which(command[0]):
        raise SystemExit(f"superpoint: {command[0]} is missing; the wheel is built by Go 1.26, see README.md of the "
                         "checkout")
    done = subprocess.run(command, cwd=CHECKOUT, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True)
    if done.returncode:
        sys.stderr.write(done.stdout)
        raise SystemExit(f"superpoint: {shlex.join(command)} failed")
    return done.stdout
