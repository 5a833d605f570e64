// SPDX-License-Identifier: BSD-3-Clause

package pdaltest

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"superpoint/testdata/must"
)

// The campaign disturbs commands on folders: inputs are replaced, processes are killed, disks are full, files
// between the steps of a survey are damaged, and files belong to other users. Whatever a disturbed run does,
// the next run has the results of one that was not disturbed, byte by byte.

// disturbances are cases of the campaign by name.
func disturbances() map[string]func(c *campaignCase, t *testing.T, in string) {
	return map[string]func(c *campaignCase, t *testing.T, in string){
		"swapped input":    (*campaignCase).swapped,
		"killed":           (*campaignCase).killed,
		"full disk":        (*campaignCase).onFullDisk,
		"steps at once":    (*campaignCase).stepsAtOnce,
		"damaged steps":    (*campaignCase).damagedSteps,
		"files of another": (*campaignCase).filesOfAnother,
		"map of two runs":  (*campaignCase).mapOfTwoRuns,
	}
}

// disturbed is a command on two clouds, with the results of an undisturbed run.
type disturbed struct {
	*campaignCase
	t         *testing.T
	a, b      string // inputs
	other     []byte // another content of b, of the same size
	folder    string // of the command
	plan      []byte // of a survey
	want      map[string]string
	undisturb time.Duration // of the undisturbed run
}

// disturb prepares a case, of segment or of a survey.
func (c *campaignCase) disturb(t *testing.T, in string, isSurvey bool) *disturbed {
	t.Helper()
	inputs := filepath.Join(c.folder, "inputs")
	d := &disturbed{campaignCase: c, t: t, a: filepath.Join(inputs, "a.las"),
		b:      filepath.Join(inputs, "b.las"),
		folder: filepath.Join(c.folder, "results")}
	must.OK(t, os.Mkdir(inputs, 0o777))
	must.OK(t, os.Rename(in, d.a))
	beside := *c.file
	beside.Records = nil
	for _, r := range c.file.Records {
		moved := slices.Clone(r)
		le.PutUint32(moved, le.Uint32(moved)+uint32(int32(40/c.file.Scale[0])))
		beside.Records = append(beside.Records, moved)
	}
	must.OK(t, beside.Write(d.b))
	for _, r := range beside.Records {
		r[12] ^= 1 // intensity
	}
	changed := filepath.Join(c.folder, "changed.las")
	must.OK(t, beside.Write(changed))
	d.other = must.Get(os.ReadFile(changed))(t)
	if isSurvey { // in tiles of 40 m two have equal points, and so files of equal size
		tile := []string{"30", "40"}[c.random.IntN(2)]
		do(t, "survey", "plan", "--model", "geometric", "--tile", tile, "--output", d.folder, d.a, d.b)
		d.plan = must.Get(os.ReadFile(filepath.Join(d.folder, "plan.json")))(t)
	}
	start := time.Now()
	d.run().ok(t)
	d.undisturb = time.Since(start)
	d.want = d.results()
	must.Equal(t, len(d.want), 2, "results %v", slices.Sorted(maps.Keys(d.want)))
	d.forget()
	return d
}

// forget removes what the command made.
func (d *disturbed) forget() {
	d.t.Helper()
	must.OK(d.t, os.RemoveAll(d.folder))
	if d.plan != nil {
		must.OK(d.t, os.Mkdir(d.folder, 0o777))
		must.OK(d.t, os.WriteFile(filepath.Join(d.folder, "plan.json"), d.plan, 0o666))
	}
}

// args returns the arguments of the command.
func (d *disturbed) args() []string {
	if d.plan != nil {
		return []string{"superpoint", "survey", "run", d.folder}
	}
	return []string{"superpoint", "segment", "--model", "geometric", filepath.Dir(d.a), d.folder + "/"}
}

func (d *disturbed) run() outcome {
	d.t.Helper()
	return pdal(d.t, nil, d.args()...)
}

// results returns the SHA-256 of results by name.
func (d *disturbed) results() map[string]string {
	d.t.Helper()
	folder := d.folder
	if d.plan != nil {
		folder = filepath.Join(folder, "out")
	}
	return hashes(d.t, folder)
}

// hashes returns the SHA-256 of the files in a folder that are not hidden, but plan.json, by name.
func hashes(t *testing.T, folder string) map[string]string {
	t.Helper()
	found := map[string]string{}
	entries, _ := os.ReadDir(folder)
	for _, e := range entries {
		if e.IsDir() || strings.HasPrefix(e.Name(), ".") || e.Name() == "plan.json" {
			continue
		}
		text := must.Get(os.ReadFile(filepath.Join(folder, e.Name())))(t)
		found[e.Name()] = fmt.Sprintf("%x", sha256.Sum256(text))
	}
	return found
}

// again runs the command undisturbed, and checks that the results equal the first run's, and that
// nothing else is left.
func (d *disturbed) again(about string) {
	d.t.Helper()
	d.run().ok(d.t)
	must.Equal(d.t, d.results(), d.want, "results after %s", about)
	must.Equal(d.t, len(unfinishedFiles(d.t, d.folder)), 0, "files left after %s: %v", about,
		unfinishedFiles(d.t, d.folder))
}

// start starts the command in a process group, and returns what waits for its end.
func (d *disturbed) start(args ...string) (command *exec.Cmd, wait func() outcome) {
	d.t.Helper()
	command = exec.Command(launcher(d.t), args...)
	command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	var stdout, stderr bytes.Buffer
	command.Stdout, command.Stderr = &stdout, &stderr
	must.OK(d.t, command.Start())
	return command, func() outcome {
		err := command.Wait()
		return outcome{code: ended(d.t, err), stdout: stdout.String(), stderr: stderr.String()}
	}
}

// sometime waits for a random part of the time of the undisturbed run.
func (d *disturbed) sometime() { time.Sleep(time.Duration(d.random.Float64() * float64(d.undisturb))) }

// swapped replaces an input while the command runs, by a rename or in place, and puts it back, or not at
// once.
func (c *campaignCase) swapped(t *testing.T, in string) {
	d := c.disturb(t, in, c.random.IntN(2) == 0)
	good := must.Get(os.ReadFile(d.b))(t)
	inPlace := c.random.IntN(2) == 0
	replace := func(content []byte) {
		if inPlace {
			must.OK(t, os.WriteFile(d.b, content, 0o666))
			return
		}
		must.OK(t, os.WriteFile(d.b+".new", content, 0o666))
		must.OK(t, os.Rename(d.b+".new", d.b))
	}
	_, wait := d.start(d.args()...)
	for range 1 + c.random.IntN(3) {
		d.sometime()
		replace(d.other)
		if c.random.IntN(2) == 0 {
			d.sometime()
		}
		replace(good)
	}
	o := wait()
	if o.code != 0 {
		must.Hold(t, o.code == 1, "exit code %d, want 1: %s", o.code, o.stderr)
		must.Hold(t, o.stderr != "", "o.stderr is empty")
	}
	if o.code == 0 { // whatever it read has its name in the record, so the next run decides
		must.Equal(t, len(d.results()), 2, "results")
	}
	d.again(fmt.Sprintf("swaps, exit code %d", o.code))
}

// killed kills the command several times.
func (c *campaignCase) killed(t *testing.T, in string) {
	d := c.disturb(t, in, c.random.IntN(2) == 0)
	for range 1 + c.random.IntN(3) {
		command, wait := d.start(d.args()...)
		d.sometime()
		_ = syscall.Kill(-command.Process.Pid, syscall.SIGKILL)
		wait()
		for name, sum := range d.results() {
			must.Equal(t, sum, d.want[name], "%s after a kill", name)
		}
	}
	d.again("kills")
}

// onFullDisk limits the size of files, as a full disk does.
func (c *campaignCase) onFullDisk(t *testing.T, in string) {
	d := c.disturb(t, in, c.random.IntN(2) == 0)
	blocks := strconv.Itoa(1 + c.random.IntN(150))
	limited := exec.Command("sh", append([]string{"-c", `trap "" XFSZ; ulimit -f "$0"; exec "$@"`, blocks,
		launcher(t)},
		d.args()...)...)
	o := outcomeOf(t, limited)
	if o.code != 0 {
		must.Hold(t, o.code == 1, "exit code %d, want 1: %s", o.code, o.stderr)
		must.Hold(t, o.stderr != "", "o.stderr is empty")
	}
	for name, sum := range d.results() {
		must.Equal(t, sum, d.want[name], "%s on a full disk of %s blocks", name, blocks)
	}
	left := unfinishedFiles(t, filepath.Dir(d.folder))
	must.Hold(t, len(left) == 0, "%s blocks, exit code %d: left %v", blocks, o.code, left)
	d.again("a full disk")
}

// stepsAtOnce runs the processes of each step at once, some of them twice.
func (c *campaignCase) stepsAtOnce(t *testing.T, in string) {
	d := c.disturb(t, in, true)
	var plan struct {
		Sources, Tiles []any
	}
	must.OK(t, json.Unmarshal(d.plan, &plan))
	steps := []struct {
		name  string
		count int
	}{{"cut", len(plan.Sources)}, {"embed", len(plan.Tiles)}, {"coarsen", len(plan.Tiles)}, {"merge", 1},
		{"refine", len(plan.Tiles)}, {"number", 1}, {"classify", 1}, {"label", len(plan.Tiles)},
		{"write", len(plan.Sources)}}
	for _, s := range steps {
		var all sync.WaitGroup
		outcomes := make([]outcome, 2*s.count)
		for k := range outcomes {
			if k >= s.count && c.random.IntN(2) == 0 {
				continue
			}
			_, wait := d.start("superpoint", "survey", "run", d.folder, s.name, strconv.Itoa(k%s.count))
			all.Go(func() { outcomes[k] = wait() })
		}
		all.Wait()
		for k, o := range outcomes {
			must.Need(t, o.code == 0, "step %s %d: exit code %d: %s", s.name, k%s.count, o.code, o.stderr)
		}
	}
	must.Equal(t, d.results(), d.want, "results of processes at once")
	d.again("processes at once")
}

// damagedSteps damages a file of a survey after some steps: the survey makes it again, or names it. Then the
// results equal those from undamaged files.
func (c *campaignCase) damagedSteps(t *testing.T, in string) {
	d := c.disturb(t, in, true)
	steps := []string{"cut", "embed", "coarsen", "merge", "refine", "number", "classify", "label"}
	for _, s := range steps[:1+c.random.IntN(len(steps))] {
		do(t, "survey", "run", d.folder, s)
	}
	var files []string
	for _, pattern := range []string{"*/*", "cut/*/*"} {
		for _, path := range must.Get(filepath.Glob(filepath.Join(d.folder, pattern)))(t) {
			if info := must.Get(os.Stat(path))(t); info.Mode().IsRegular() && info.Size() > 0 {
				files = append(files, path)
			}
		}
	}
	damaged := files[c.random.IntN(len(files))]
	how := damage(t, c, damaged, files)
	for try := 0; ; try++ {
		o := d.run()
		if o.code == 0 {
			break
		}
		must.Need(t, o.code == 1, "%s, %s: exit code %d, want 1: %s", damaged, how, o.code, o.stderr)
		must.Need(t, try < 3, "%s, %s: try is %v, want less than 3", damaged, how, try)
		must.Need(t, strings.Contains(o.stderr, damaged), "%s, %s: it is not named: %s", damaged,
			how, o.stderr)
		must.OK(t, os.Remove(damaged))
	}
	must.Equal(t, d.results(), d.want, "results after %s, %s", damaged, how)
}

// damage changes a file in one of several ways, and returns a description.
func damage(t *testing.T, c *campaignCase, path string, files []string) (how string) {
	t.Helper()
	content := must.Get(os.ReadFile(path))(t)
	switch c.random.IntN(6) {
	case 0:
		at := c.random.IntN(len(content))
		content[at] ^= byte(1 << c.random.IntN(8))
		how = fmt.Sprint("a bit of byte ", at)
	case 1:
		content = content[:c.random.IntN(len(content))]
		how = fmt.Sprint("cut to ", len(content))
	case 2:
		content = append(content, 0, 1, 2, 3)
		how = "four bytes more"
	case 3:
		must.OK(t, os.Remove(path))
		return "removed"
	case 4:
		other := files[c.random.IntN(len(files))]
		content = must.Get(os.ReadFile(other))(t)
		how = "replaced by " + other
	case 5:
		other := ofEqualSize(t, c, path, files)
		content = must.Get(os.ReadFile(other))(t)
		how = "replaced by one of equal size, " + other
	}
	must.OK(t, os.WriteFile(path, content, 0o666))
	return how
}

// ofEqualSize returns another file of the size of a file, or the file itself if there is none.
func ofEqualSize(t *testing.T, c *campaignCase, path string, files []string) string {
	t.Helper()
	size := must.Get(os.Stat(path))(t).Size()
	var equal []string
	for _, other := range files {
		if other != path && must.Get(os.Stat(other))(t).Size() == size {
			equal = append(equal, other)
		}
	}
	if len(equal) == 0 {
		return path
	}
	return equal[c.random.IntN(len(equal))]
}

// filesOfAnother runs the command on files of another user, without the rights of root: none of these
// files changes, and the error names the folder. Only root can give files to another user; without root
// they are files of this user that no program claims.
func (c *campaignCase) filesOfAnother(t *testing.T, in string) {
	d := c.disturb(t, in, false)
	const theirs = 65534
	foreign := filepath.Join(d.folder, "b.las")
	must.OK(t, os.Mkdir(d.folder, 0o777))
	must.OK(t, os.WriteFile(foreign, []byte("their work"), 0o600))
	all := []string{foreign, d.folder}
	if c.random.IntN(2) == 0 { // what a killed run of the other user left
		work := filepath.Join(d.folder, ".superpoint-work-1")
		lock := filepath.Join(work, "owner.lock")
		must.OK(t, os.Mkdir(work, 0o700))
		must.OK(t, os.WriteFile(lock, nil, 0o600))
		all = append(all, lock, work)
	}
	mode := []os.FileMode{0o755, 0o777}[c.random.IntN(2)]
	must.OK(t, os.Chmod(d.folder, mode))
	for _, path := range all {
		if err := os.Chown(path, theirs, theirs); err != nil {
			must.Hold(t, os.Geteuid() != 0, "root cannot give files away: %v", err)
		}
	}
	command := append([]string{launcher(t)}, d.args()...)
	if os.Geteuid() == 0 {
		command = append([]string{"setpriv", "--bounding-set=-all"}, command...)
	}
	o := outcomeOf(t, exec.Command(command[0], command[1:]...))
	must.Hold(t, o.code == 1, "mode %v: exit code %d, want 1: %s", mode, o.code, o.stderr)
	must.Hold(t, strings.Contains(o.stderr, d.folder), "mode %v: no %q in %s", mode, d.folder, o.stderr)
	must.Equal(t, string(must.Get(os.ReadFile(foreign))(t)), "their work", "file of another user")
	must.OK(t, os.RemoveAll(d.folder))
	d.again("another user")
}

// mapOfTwoRuns disturbs a second map of more tiles in the folder of a first: the files beside points are all
// of one run.
func (c *campaignCase) mapOfTwoRuns(t *testing.T, in string) {
	d := c.disturb(t, in, false)
	args := func(from string) []string { return []string{"superpoint", "map", from, d.folder} }
	pdal(t, nil, args(d.a)...).ok(t)
	former := hashes(t, d.folder)
	must.Hold(t, len(former) >= 3, "files %v", former)
	start := time.Now()
	pdal(t, nil, "superpoint", "map", filepath.Dir(d.a), filepath.Join(c.folder, "undisturbed")).ok(t)
	d.undisturb = time.Since(start)
	names := slices.Sorted(maps.Keys(hashes(t, filepath.Join(c.folder, "undisturbed"))))

	command, wait := d.start(args(filepath.Dir(d.a))...)
	d.sometime()
	edited := ""
	if c.random.IntN(2) == 0 {
		edited = slices.Sorted(maps.Keys(former))[c.random.IntN(len(former))]
		must.OK(t, os.WriteFile(filepath.Join(d.folder, edited), []byte("edited"), 0o666))
	} else {
		_ = syscall.Kill(-command.Process.Pid, syscall.SIGKILL)
	}
	o := wait()
	if edited == "" { // a run that fails ends what was killed
		refused(t, pdal(t, nil, args(filepath.Join(c.folder, "missing.las"))...), "", "missing.las")
	}
	now := hashes(t, d.folder)
	if edited != "" && now[edited] == fmt.Sprintf("%x", sha256.Sum256([]byte("edited"))) {
		delete(now, edited)
		delete(former, edited)
		names = slices.DeleteFunc(names, func(name string) bool { return name == edited })
	}
	isFormer := maps.Equal(now, former)
	isNew := slices.Equal(slices.Sorted(maps.Keys(now)), names)
	for name, sum := range now {
		isNew = isNew && former[name] != sum
	}
	if !isFormer {
		must.Hold(t, isNew, "edited %q, exit code %d, files of two runs: isNew is false", edited, o.code)
	}
}
