// SPDX-License-Identifier: BSD-3-Clause

package ptx

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"superpoint/testdata/must"
)

// top is the root of the repository.
const top = "../../.."

// read returns the text of a file.
func read(t *testing.T, path string) string {
	t.Helper()
	text := must.Get(os.ReadFile(path))(t)
	return string(text)
}

// files returns the files with an ending, as ptx.sh lists them.
func files(t *testing.T, end string) (paths []string) {
	t.Helper()
	for _, folder := range []string{"embed", "partition"} {
		must.OK(t, filepath.WalkDir(filepath.Join(top, folder), func(path string, _ fs.DirEntry,
			err error) error {
			if strings.HasSuffix(path, end) {
				paths = append(paths, path)
			}
			return err
		}))
	}
	return paths
}

// kernels returns the kernels of a PTX file.
func kernels(text string) (names []string) {
	for _, m := range regexp.MustCompile(`(?m)^\.visible \.entry (\w+)\(`).FindAllStringSubmatch(text, -1) {
		names = append(names, m[1])
	}
	return names
}

// TestPTXIsOfTheSources: every PTX file was made from the present sources.
func TestPTXIsOfTheSources(t *testing.T) {
	sources := files(t, ".cu")
	made := files(t, ".ptx")
	must.Equal(t, len(made), len(sources), "PTX files")
	must.Hold(t, len(made) >= 3, "PTX files: got %v, want at least 3", len(made))
	include := regexp.MustCompile(`(?m)^#include "(.*)"$`)
	for _, source := range sources {
		text := read(t, source)
		hash := sha256.New()
		for _, m := range include.FindAllStringSubmatch(text, -1) {
			hash.Write([]byte(read(t, filepath.Join(filepath.Dir(source), m[1]))))
		}
		hash.Write([]byte(text))
		ptx := read(t, strings.TrimSuffix(source, ".cu")+".ptx")
		must.Hold(t, strings.HasPrefix(ptx, fmt.Sprintf("// sources: %x\n", hash.Sum(nil))),
			"the PTX of %s was made from other sources; run go generate ./embed/cuda/ptx", source)
		must.Hold(t, strings.Contains(ptx, ".target sm_70"),
			"the PTX of %s has no kernel for compute_70: no %q", source, ".target sm_70")
		must.Hold(t, len(kernels(ptx)) != 0,
			"the PTX of %s has no kernel for compute_70: len(kernels(ptx)) is 0", source)
	}
}

// A few bytes spilled at the entry of a kernel do not affect its speed.
const mostSpilled = 16

// leastBlocks are the required numbers of blocks of 128 threads on a multiprocessor: one for
// all kernels, and exceptions for kernels that would have to spill to reach it.
var leastBlocks = map[string]int{"": 12, "lpe_embed": 6}

// TestRegisters: registers.txt was made from the PTX files, and no kernel uses too many registers.
func TestRegisters(t *testing.T) {
	all, found, there := sha256.New(), map[string]int{}, map[string]string{}
	for _, file := range files(t, ".ptx") {
		text := read(t, file)
		all.Write([]byte(text))
		for _, name := range kernels(text) {
			other, twice := there[name]
			must.Hold(t, !twice, "%s is in %s and %s", name, other, file)
			there[name] = file
		}
	}
	text := read(t, "registers.txt")
	must.Hold(t, strings.HasPrefix(text, fmt.Sprintf("# %x\n", all.Sum(nil))),
		"registers.txt was made from other PTX files; run go generate ./embed/cuda/ptx")
	for line := range strings.Lines(text) {
		var kernel, gpu string
		var registers, spilled, frame, blocks int
		if line[0] == '#' {
			continue
		}
		_, err := fmt.Sscan(line, &kernel, &gpu, &registers, &spilled, &frame, &blocks)
		must.Need(t, err == nil, "%q: %v", line, err)
		found[kernel]++
		least := cmp.Or(leastBlocks[kernel], leastBlocks[""])
		must.Hold(t, blocks >= least, "%s on %s takes %d registers a thread, which leaves %d blocks, want %d",
			kernel, gpu, registers, blocks, least)
		must.Hold(t, spilled <= mostSpilled, "%s on %s spills %d bytes, want at most %d",
			kernel, gpu, spilled, mostSpilled)
	}
	for name, file := range there {
		must.Hold(t, found[name] == 3, "%s of %s is listed for %d GPUs, want 3", name, file, found[name])
	}
}
