package memory

import (
	"math"
	"os"
	"path"
	"strconv"
	"strings"
	"syscall"
)

// machine returns what this process can still take of memory, and what limits it:
// a control group (containers, SLURM, systemd) or the machine. Files that cannot
// be read limit nothing.
func machine() left {
	l := left{free: controlGroup("/proc/self/cgroup", "/sys/fs/cgroup"), limit: "the memory limit of the control group"}
	if all := fields("/proc/meminfo"); all["MemAvailable:"] > 0 {
		l.least(1024*(all["MemAvailable:"]+all["SwapFree:"]), "this machine")
	}
	return l
}

// addresses returns what ulimit -v leaves, and data what ulimit -d does.
func addresses() left {
	return resource(syscall.RLIMIT_AS, "VmSize:", "the limit of the address space (ulimit -v)")
}

func data() left {
	return resource(syscall.RLIMIT_DATA, "VmData:", "the limit of data (ulimit -d)")
}

func resource(which int, taken, limit string) left {
	l := left{free: math.MaxUint64}
	var most syscall.Rlimit
	if syscall.Getrlimit(which, &most) == nil && most.Cur < math.MaxInt64 {
		l.least(most.Cur-min(most.Cur, 1024*fields("/proc/self/status")[taken]), limit)
	}
	return l
}

// controlGroup returns what the process's control group and those above it
// leave: version 2 ("0::/path") or the memory controller of version 1. What
// only holds copies of files can be given up and counts as free.
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
		folder, most, used, files := root, "memory.max", "memory.current", []string{"active_file", "inactive_file"}
		switch {
		case part[0] == "0" && part[1] == "":
		case strings.Contains(","+part[1]+",", ",memory,"):
			folder, most, used = path.Join(root, "memory"), "memory.limit_in_bytes", "memory.usage_in_bytes"
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

// readNumber reads a file of one number; "max" and a missing file are none.
func readNumber(file string) (value uint64, ok bool) {
	text, err := os.ReadFile(file)
	if err != nil {
		return 0, false
	}
	value, err = strconv.ParseUint(strings.TrimSpace(string(text)), 10, 64)
	return value, err == nil
}

// fields reads lines of a name and a number.
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

// Peak returns the most memory this process had so far; 0 if that is not known.
func Peak() int64 { return int64(1024 * fields("/proc/self/status")["VmHWM:"]) }
