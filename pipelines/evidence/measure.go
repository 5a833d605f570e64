package main

import (
	"cmp"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"superpoint/filter/host"
	"superpoint/pipelines/commands/compare"
)

// job has the options of the command line.
type job struct {
	pdal, data, out string // launcher, labelled clouds, scratch
	scans           string // folder of simulated scans
	page            string // folder with cells/ and RESULTS.md
	sets            []string
	pattern         string // of clouds to measure; "" = all
	sizes           string
	renew           bool // measure rivals again
	threads         int
	commit          string                   // of the checkout, before cells are written
	took            map[string]time.Duration // for the clouds of each set
}

// rivalsWork is the time of all rivals over that of superpoint.
const rivalsWork = 14

// task is a cloud and the systems that it lacks.
type task struct {
	set     *set
	cloud   string
	file    string
	side    string // ours or rivals
	systems []string
	work    int64 // points, about, times rivalsWork for rivals
}

// measure measures missing cells, set by set: superpoint for this build, rivals only once unless renewed.
// An interrupted run continues.
func (j *job) measure() error {
	build, err := j.build()
	if err != nil {
		return err
	}
	if j.commit, err = commit(); err != nil {
		return err
	}
	var tasks []task
	for _, name := range j.sets {
		s := setNamed(name)
		if s == nil {
			return fmt.Errorf("no set %q; choose of %s", name, strings.Join(names(sets()), ", "))
		}
		some, err := j.tasks(s, build)
		if err != nil {
			return err
		}
		tasks = append(tasks, some...)
		if s.once { // read from now on, even if it is interrupted
			if err := j.note(s, build); err != nil {
				return err
			}
		}
	}
	began, all, done := time.Now(), int64(0), int64(0)
	for i := range tasks {
		all += tasks[i].work
	}
	j.took = map[string]time.Duration{}
	for i := range tasks {
		t, before := &tasks[i], time.Now()
		if err := j.run(t); err != nil {
			return err
		}
		j.took[t.set.name] += time.Since(before)
		done += t.work
		fmt.Printf("%-10s %-28s %-6s %3d %%%s\n", t.set.name, t.cloud, t.side, 100*done/all,
			host.Left(time.Since(began), done, all))
	}
	for _, name := range j.sets {
		if err := j.keep(setNamed(name), build); err != nil {
			return err
		}
	}
	return nil
}

func names(all []set) (list []string) {
	for _, s := range all {
		list = append(list, s.name)
	}
	return list
}

// build returns a digest of the measured library.
func (j *job) build() (string, error) {
	text, err := os.ReadFile(filepath.Join(filepath.Dir(j.pdal), "libsuperpoint.so"))
	if err != nil {
		return "", fmt.Errorf("%w; run make plugin first", err)
	}
	return fmt.Sprintf("%x", sha256.Sum256(text))[:12], nil
}

// clouds returns the files of a set, and creates simulated ones.
func (j *job) clouds(s *set) ([]string, error) {
	if s.folder != "" {
		files, err := filepath.Glob(filepath.Join(j.data, s.folder, "*.la[sz]"))
		if err == nil && len(files) == 0 {
			err = fmt.Errorf("no clouds in %s; name the folder with %s by -data", filepath.Join(j.data, s.folder), s.folder)
		}
		return files, err
	}
	folder := filepath.Join(j.scans, fmt.Sprint("sim_", s.seed))
	if _, err := os.Stat(folder); err != nil {
		part := folder + ".part"
		if err := errors.Join(os.RemoveAll(part), command("testdata/scanner/kinds.sh", part, "1", fmt.Sprint(s.seed),
			fmt.Sprint(simulatedPoints))); err != nil {
			return nil, err
		}
		if err := command("mv", part, folder); err != nil {
			return nil, err
		}
	}
	return filepath.Glob(filepath.Join(folder, "*.las"))
}

// tasks returns the missing measurements of a set.
func (j *job) tasks(s *set, build string) (all []task, err error) {
	files, err := j.clouds(s)
	if err != nil {
		return nil, err
	}
	if err := j.begin(s, build); err != nil {
		return nil, err
	}
	kept, err := load(j.page, s.name)
	if err != nil {
		return nil, err
	}
	for _, file := range files {
		cloud := strings.TrimSuffix(filepath.Base(file), filepath.Ext(file))
		if j.pattern != "" && !matches([]string{j.pattern}, cloud) {
			continue
		}
		info, err := os.Stat(file)
		if err != nil {
			return nil, err
		}
		t := task{set: s, cloud: cloud, file: file, side: ours, systems: []string{ours}, work: info.Size() / 5} // of LAZ
		if strings.HasSuffix(file, ".las") {
			t.work = info.Size() / 36
		}
		missing := rivals(cloud)
		if !j.renew {
			missing = slices.DeleteFunc(missing, func(system string) bool {
				return slices.ContainsFunc(kept, func(c cell) bool {
					return c.Set == cloud && c.System == system && c.Option == compare.BySize
				})
			})
		}
		if len(missing) > 0 {
			all = append(all, task{s, cloud, file, "rivals", missing, rivalsWork * t.work})
		}
		all = append(all, t)
	}
	return all, nil
}

func (j *job) folder(s *set, side string) string { return filepath.Join(j.out, s.name, side) }

// begin removes the results of another build.
func (j *job) begin(s *set, build string) error {
	folder := j.folder(s, ours)
	stamp := filepath.Join(folder, "build-"+build)
	if _, err := os.Stat(stamp); err == nil {
		return nil
	}
	if err := errors.Join(os.RemoveAll(folder), os.MkdirAll(folder, 0o755)); err != nil {
		return err
	}
	return writeTable(stamp, [][]string{{build}})
}

// run measures a task; what results.csv has already is not measured again.
func (j *job) run(t *task) error {
	folder := j.folder(t.set, t.side)
	err := command(j.pdal, "superpoint", "compare", "--rules", "pipelines/report.yaml", "--adjacency_knn", "5",
		"--picture", "0", "--sweep", "none", "--targets", j.sizes, "--threads", fmt.Sprint(j.threads),
		"--systems", strings.Join(t.systems, ","), "--output", folder, t.file)
	if err != nil {
		return fmt.Errorf("%s: %w", t.cloud, err)
	}
	return nil
}

// keep replaces the measured cells and records the reading.
func (j *job) keep(s *set, build string) error {
	path := filepath.Join(j.page, "cells", s.name+".csv")
	kept, err := readCells(path)
	if err != nil {
		return err
	}
	var fresh []cell
	for _, side := range []string{ours, "rivals"} {
		some, err := readCells(filepath.Join(j.folder(s, side), "results.csv"))
		if err != nil {
			return err
		}
		fresh = append(fresh, compare.Together(some)...)
	}
	if err := writeCells(path, renewed(kept, fresh)); err != nil {
		return err
	}
	return j.note(s, build)
}

// reading is a row of readings.csv: that a set was measured, by which build, and the seconds that its last run
// took, which are few if it continued.
type reading struct{ set, date, commit, build, model, seconds string }

func readReadings(folder string) (all []reading, err error) {
	rows, err := readTable(filepath.Join(folder, "cells", "readings.csv"))
	for i, row := range rows {
		if i > 0 && len(row) == 6 {
			all = append(all, reading{row[0], row[1], row[2], row[3], row[4], row[5]})
		}
	}
	return all, err
}

// note adds the reading, once for every build, or the model of one that is noted.
func (j *job) note(s *set, build string) error {
	all, err := readReadings(j.page)
	if err != nil {
		return err
	}
	i := slices.IndexFunc(all, func(r reading) bool { return r.set == s.name && r.build == build })
	if i < 0 {
		i, all = len(all), append(all, reading{set: s.name, date: time.Now().UTC().Format(time.DateOnly), commit: j.commit,
			build: build})
	}
	all[i].model = j.model(s)
	if took := j.took[s.name]; took > 0 {
		all[i].seconds = fmt.Sprintf("%.0f", took.Seconds())
	}
	slices.SortStableFunc(all, func(a, b reading) int { return cmp.Compare(a.set, b.set) })
	rows := [][]string{{"set", "date", "commit", "build", "model", "seconds"}}
	for _, r := range all {
		rows = append(rows, []string{r.set, r.date, r.commit, r.build, r.model, r.seconds})
	}
	return writeTable(filepath.Join(j.page, "cells", "readings.csv"), rows)
}

// commit returns the commit of the checkout, with a mark if there are uncommitted changes.
func commit() (string, error) {
	text, err := exec.Command("git", "describe", "--always", "--dirty", "--exclude", "*").Output()
	if err != nil {
		return "", fmt.Errorf("git describe: %w", err)
	}
	return strings.TrimSpace(string(text)), nil
}

// model returns the name of the default model in results, with the digits of its hash.
func (j *job) model(s *set) string {
	rows, err := readTable(filepath.Join(j.folder(s, ours), "results.csv"))
	if err != nil || len(rows) < 2 {
		return ""
	}
	return rows[1][slices.Index(rows[0], "model")]
}

// command runs a program and passes its standard error on.
func command(name string, args ...string) error {
	c := exec.Command(name, args...)
	c.Stdout, c.Stderr = io.Discard, os.Stderr
	if err := c.Run(); err != nil {
		return fmt.Errorf("%s %s: %w", name, strings.Join(args, " "), err)
	}
	return nil
}
