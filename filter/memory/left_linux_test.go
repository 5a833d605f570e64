// SPDX-License-Identifier: BSD-3-Clause

package memory

import (
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"superpoint/testdata/must"
)

// files writes files below a new folder.
func files(t *testing.T, content map[string]string) string {
	t.Helper()
	root := t.TempDir()
	for name, text := range content {
		at := filepath.Join(root, name)
		must.OK(t, os.MkdirAll(filepath.Dir(at), 0o755))
		must.OK(t, os.WriteFile(at, []byte(text), 0o644))
	}
	return root
}

func TestControlGroups(t *testing.T) {
	root := files(t, map[string]string{
		"two":                                   "0::/slurm/job\n",
		"one":                                   "12:cpu,cpuacct:/a\n7:memory:/box\n",
		"broken":                                "what is this\n0::/../../etc\n::\n",
		"slurm/memory.max":                      "1000\n",
		"slurm/memory.current":                  "700\n",
		"slurm/memory.stat":                     "anon 400\nactive_file 100\ninactive_file 200\n",
		"slurm/job/memory.max":                  "max\n",
		"slurm/job/memory.current":              "5\n",
		"memory/box/memory.limit_in_bytes":      "500\n",
		"memory/box/memory.usage_in_bytes":      "800\n",
		"memory/memory.limit_in_bytes":          "9223372036854771712\n",
		"memory/box/deep/memory.limit_in_bytes": "1\n",
	})
	for name, want := range map[string]uint64{"two": 600, "one": 0, "broken": math.MaxUint64,
		"missing": math.MaxUint64} {
		must.Equal(t, controlGroup(filepath.Join(root, name), root), want, "%s: bytes", name)
	}
}

// TestLimitsOfTheProcess sets limits of a gigabyte above what the process has taken, and compares what is
// left of each, in bytes. The library checks them before the plugin does, so a test through pdal sees only
// one of the two.
func TestLimitsOfTheProcess(t *testing.T) {
	const room, tolerance = 1 << 30, 64 << 20 // the process may take a little meanwhile
	taken := make([]byte, 256<<20)            // so that memory in use counts
	for i := range taken {
		taken[i] = 1
	}
	for _, c := range []struct {
		name     string
		resource int
		field    string // of /proc/self/status, in kB
		entry    string // of limits
	}{
		{"address space", syscall.RLIMIT_AS, "VmSize:", "ulimit -v"},
		{"data", syscall.RLIMIT_DATA, "VmData:", "ulimit -d"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var before syscall.Rlimit
			must.OK(t, syscall.Getrlimit(c.resource, &before))
			own := kilobytes(t, c.field)
			must.OK(t, syscall.Setrlimit(c.resource, &syscall.Rlimit{Cur: 1024*own + room, Max: before.Max}))
			all := limits()
			must.OK(t, syscall.Setrlimit(c.resource, &before))
			for _, l := range all {
				if !strings.Contains(l.name, c.entry) {
					continue
				}
				must.Hold(t, l.free <= room, "%d bytes are left, want at most %d", l.free, room)
				must.Hold(t, l.free >= room-tolerance, "%d bytes are left, want about %d", l.free, room)
				return
			}
			t.Errorf("no limit %q in %+v", c.entry, all)
		})
	}
	runtime.KeepAlive(taken)
}

// kilobytes returns a number of /proc/self/status.
func kilobytes(t *testing.T, field string) uint64 {
	t.Helper()
	for line := range strings.Lines(string(must.Get(os.ReadFile("/proc/self/status"))(t))) {
		if words := strings.Fields(line); len(words) == 3 && words[0] == field && words[2] == "kB" {
			return must.Get(strconv.ParseUint(words[1], 10, 64))(t)
		}
	}
	t.Fatalf("/proc/self/status has no %s", field)
	return 0
}

func TestTooLargeForThisMachine(t *testing.T) {
	all := limits()
	var most syscall.Rlimit
	must.OK(t, syscall.Getrlimit(syscall.RLIMIT_NOFILE, &most))
	got := resource(syscall.RLIMIT_NOFILE, 1) // any resource, as its own is mostly unlimited
	if most.Cur < math.MaxInt64 {
		must.Equal(t, got, most.Cur-min(most.Cur, 1024), "memory that 1024 bytes leave")
	}
	l := all[len(all)-1]
	must.Equal(t, l.name, "this machine", "l.name")
	must.Hold(t, l.free != 0, "l.free is 0")
	must.Hold(t, l.free != math.MaxUint64, "l.free equals math.MaxUint64: %v", l.free)
	must.OK(t, Check("the view", 20_000, 300))
	none, one := Processes(float64(all[len(all)-1].free)), Processes(1)
	must.Equal(t, none, 0, "processes that need all memory")
	must.Hold(t, one >= 1, "one is %v, want at least 1", one)
	must.Fail(Check("the view", math.MaxInt32, 1e6))(t,
		"not enough memory for 2147483647 points of the view", "filters.splitter")
	must.OK(t, CheckCells(1000*1000, 32))
	must.Fail(CheckCells(1<<40, 32))(t, "not enough memory for 1099511627776 cells: they need 3.5")
}
