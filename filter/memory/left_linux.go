// SPDX-License-Identifier: BSD-3-Clause

package memory

import (
	"math"
	"os"
	"path"
	"strconv"
	"strings"
	"syscall"
)

// limits returns the memory that this process can still allocate: within its control group
// (containers, SLURM, systemd), on the machine and within ulimit. Files that cannot be read are
// ignored.
func limits() []limit {
	machine := fields("/proc/meminfo")
	own := fields("/proc/self/status")
	all := []limit{
		{"the limit of the address space (ulimit -v)", resource(syscall.RLIMIT_AS, own["VmSize:"]),
			256 << 20, 2, false},
		{"the limit of data (ulimit -d)", resource(syscall.RLIMIT_DATA, own["VmData:"]), 128 << 20, 2, false},
		{"the memory limit of the control group", controlGroup("/proc/self/cgroup", "/sys/fs/cgroup"),
			48 << 20, 1, true},
	}
	if free := machine["MemAvailable:"]; free > 0 {
		all = append(all, limit{"this machine", 1024 * (free + machine["SwapFree:"]), 48 << 20, 1, true})
	}
	return all
}

// resource returns the bytes left of a resource of which taken kB are in use.
func resource(which int, taken uint64) uint64 {
	var most syscall.Rlimit
	if syscall.Getrlimit(which, &most) != nil || most.Cur >= math.MaxInt64 {
		return math.MaxUint64
	}
	return most.Cur - min(most.Cur, 1024*taken)
}

// controlGroup returns the memory left in the process's control group and its ancestors, of
// version 2 ("0::/path") or the memory controller of version 1. The page cache counts as free.
func controlGroup(groups, root string) uint64 {
	text, err := os.ReadFile(groups)
	if err != nil {
		return math.MaxUint64
	}
	free := uint64(math.MaxUint64)
	for line := range strings.Lines(string(text)) {
		part := strings.SplitN(strings.TrimSpace(line), ":", 3)
		if len(part) < 3 {
			continue
		}
		folder := root
		most := "memory.max"
		used := "memory.current"
		files := []string{"active_file", "inactive_file"}
		switch {
		case part[0] == "0" && part[1] == "":
		case strings.Contains(","+part[1]+",", ",memory,"):
			folder = path.Join(root, "memory")
			most = "memory.limit_in_bytes"
			used = "memory.usage_in_bytes"
			files = []string{"total_active_file", "total_inactive_file"}
		default:
			continue
		}
		for own := path.Clean("/" + part[2]); ; own = path.Dir(own) {
			at := path.Join(folder, own)
			if limit, ok := readNumber(path.Join(at, most)); ok && limit < math.MaxInt64/2 {
				taken, _ := readNumber(path.Join(at, used))
				stat := fields(path.Join(at, "memory.stat"))
				taken -= min(taken, stat[files[0]]+stat[files[1]])
				free = min(free, limit-min(limit, taken))
			}
			if own == "/" {
				break
			}
		}
	}
	return free
}

// readNumber reads a file with one number; it returns none for "max" or a missing file.
func readNumber(file string) (value uint64, ok bool) {
	text, err := os.ReadFile(file)
	if err != nil {
		return 0, false
	}
	value, err = strconv.ParseUint(strings.TrimSpace(string(text)), 10, 64)
	return value, err == nil
}

// fields parses lines of a name and a number.
func fields(file string) map[string]uint64 {
	all := map[string]uint64{}
	text, _ := os.ReadFile(file)
	for line := range strings.Lines(string(text)) {
		if part := strings.Fields(line); len(part) >= 2 {
			if n, err := strconv.ParseUint(part[1], 10, 64); err == nil {
				all[part[0]] = n
			}
		}
	}
	return all
}

// Peak returns the peak resident memory of this process; 0 if it is unknown.
func Peak() int64 { return int64(1024 * fields("/proc/self/status")["VmHWM:"]) }
