package pdaltest

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"superpoint/testdata/must"
)

// unfinishedFiles lists what is under a folder and is no finished file: temporary folders
// of package embed/atomicfile, and any hidden file.
func unfinishedFiles(t *testing.T, folder string) (all []string) {
	t.Helper()
	must.OK(t, filepath.WalkDir(folder, func(path string, e fs.DirEntry, err error) error {
		if err == nil && strings.HasPrefix(e.Name(), ".") && path != folder {
			all = append(all, path)
		}
		return err
	}))
	return all
}

// TestSignalsLeaveNoFiles ends commands in the middle of their work: they
// leave no temporary file and no output. What SIGKILL leaves the next run removes.
func TestSignalsLeaveNoFiles(t *testing.T) {
	in := filepath.Join(t.TempDir(), "in.las")
	pipeline(t, nil, faux(60_000), writer(in)).ok(t)
	for _, c := range []struct {
		signal syscall.Signal
		args   []string
	}{
		{syscall.SIGTERM, []string{"segment", "--model", "geometric", "--solver", "cut-pursuit", in, "{dir}/out.laz"}},
		{syscall.SIGINT, []string{"segment", "--model", "geometric", "--solver", "cut-pursuit", in, "{dir}/out.laz"}},
		{syscall.SIGHUP, []string{"survey", "run", "{dir}"}},
		{syscall.SIGKILL, []string{"segment", "--model", "geometric", "--solver", "cut-pursuit", in, "{dir}/out.laz"}},
	} {
		dir := t.TempDir()
		if c.args[0] == "survey" {
			pdal(t, nil, "superpoint", "survey", "plan", "--output", dir, in).ok(t)
		}
		args := []string{"superpoint"}
		for _, a := range c.args {
			args = append(args, strings.ReplaceAll(a, "{dir}", dir))
		}
		command, lines := started(t, args...)
		during := 0 // the first steps of a survey only look, and have no file of their own
		for during == 0 && lines.Scan() {
			if strings.HasPrefix(lines.Text(), "PROGRESS") {
				during = len(unfinishedFiles(t, dir))
			}
		}
		must.OK(t, command.Process.Signal(c.signal))
		for lines.Scan() {
		}
		if code := ended(t, command.Wait()); code == 0 || during == 0 {
			t.Errorf("%v to %v: exit code %d, %d temporary files before", c.signal, c.args, code, during)
		}
		if _, err := os.Stat(filepath.Join(dir, "out.laz")); err == nil {
			t.Errorf("%v to %v: an output is there", c.signal, c.args)
		}
		left := unfinishedFiles(t, dir)
		if c.signal != syscall.SIGKILL {
			if len(left) > 0 {
				t.Errorf("%v to %v: left %v", c.signal, c.args, left)
			}
			continue
		}
		old := time.Now().Add(-time.Hour)
		for _, path := range left {
			os.Chtimes(filepath.Join(path, "owner.lock"), old, old)
		}
		if len(left) == 0 {
			t.Error("SIGKILL leaves nothing: there is nothing to remove")
		}
		pdal(t, nil, "superpoint", "segment", "--model", "geometric", in, filepath.Join(dir, "out.laz")).ok(t)
		if left := unfinishedFiles(t, dir); len(left) > 0 {
			t.Errorf("the next run leaves %v", left)
		}
	}
}

// TestSmallDisk writes to a disk that is too small: an error that names the file,
// no file under its name, and the same command again continues when there is room.
func TestSmallDisk(t *testing.T) {
	disk := t.TempDir()
	mount := func(options string) error {
		return exec.Command("mount", "-t", "tmpfs", "-o", options, "tmpfs", disk).Run()
	}
	if err := mount("size=256k"); err != nil {
		t.Skipf("no tmpfs can be mounted here (that needs root): %v", err)
	}
	defer exec.Command("umount", disk).Run()
	in := filepath.Join(t.TempDir(), "in.las")
	pipeline(t, nil, faux(20_000), superpoint(nil), writer(in)).ok(t)
	for _, args := range [][]string{
		{"segment", "--model", "geometric", "{in}", "{disk}/out.laz"},
		{"segment", "--model", "geometric", "{in}", "{disk}/out.las"},
		{"render", "--width", "2000", "{in}", "{disk}/out.png"},
		{"outline", "{in}", "{disk}/out.geojson"},
		{"outline", "{in}", "{disk}/out.gpkg"},
		{"mesh", "--planarity", "0", "--residual", "10", "{in}", "{disk}/out.stl"},
		{"table", "{in}", "{disk}/out.csv"},
		{"graph", "{in}", "{disk}/out.csv"},
		{"eval", "--id", "SuperpointID", "--output", "{disk}/out.csv", "{in}"},
		{"survey", "plan", "--model", "geometric", "--output", "{disk}/survey", "{in}"},
	} {
		if err := os.WriteFile(filepath.Join(disk, "filler"), make([]byte, 1<<20), 0o666); err == nil {
			t.Fatal("the disk is not small")
		}
		line := []string{"superpoint"}
		for _, a := range args {
			line = append(line, strings.NewReplacer("{in}", in, "{disk}", disk).Replace(a))
		}
		o := pdal(t, nil, line...)
		if o.code != 1 || o.stderr == "" {
			t.Errorf("%v: exit code %d\n%s", args, o.code, o.stderr)
		}
		if found, _ := filepath.Glob(filepath.Join(disk, "*out*")); len(found) > 0 {
			t.Errorf("%v left %v", args, found)
		}
		if found, _ := filepath.Glob(filepath.Join(disk, "survey", "plan.json")); len(found) > 0 {
			t.Errorf("%v left %v", args, found)
		}
		if left := unfinishedFiles(t, disk); len(left) > 0 {
			t.Errorf("%v left %v", args, left)
		}
	}
	os.Remove(filepath.Join(disk, "filler"))
	must.OK(t, mount("remount,size=32m"))
	pdal(t, nil, "superpoint", "segment", "--model", "geometric", in, filepath.Join(disk, "out.laz")).ok(t)
}
