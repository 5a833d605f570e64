package main

import (
	"cmp"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// scratch is the folder of what is measured.
const scratch = "report/evidence"

// measure compares sets and keeps their cells: superpoint for this build, rivals only if -rivals asks for them.
func measure(names []string) error {
	systems := []string{"--systems", ours}
	if names[0] == "-rivals" {
		names, systems = names[1:], nil // all that the configuration lists
	}
	library, err := os.ReadFile("build/libsuperpoint.so")
	if err != nil {
		return fmt.Errorf("%w; run make plugin first", err)
	}
	build := fmt.Sprintf("%x", sha256.Sum256(library))[:12]
	state, err := exec.Command("git", "describe", "--always", "--dirty", "--exclude", "*").Output()
	if err != nil {
		return fmt.Errorf("git describe: %w", err)
	}
	for _, name := range names {
		s := setNamed(name)
		if s == nil {
			return fmt.Errorf("no set %q; choose of val, second, third, simulated and fresh", name)
		}
		if err := s.simulate(); err != nil {
			return err
		}
		files, err := filepath.Glob(s.files)
		if err != nil || len(files) == 0 {
			return errors.Join(fmt.Errorf("no clouds in %s", s.files), err)
		}
		began, out := time.Now(), filepath.Join(scratch, name+"-"+build)
		args := []string{"superpoint", "compare", "--config", filepath.Join(home, "comparison.yaml"), "--output", out}
		if err := command("build/pdal", slices.Concat(args, systems, files)...); err != nil {
			return err
		}
		results := filepath.Join(out, "results.csv")
		if err := keep(filepath.Join(home, "cells", name+".csv"), []string{results}); err != nil {
			return err
		}
		model, err := modelOf(results)
		if err != nil {
			return err
		}
		if err := note(home, reading{name, began.UTC().Format(time.DateOnly), strings.TrimSpace(string(state)), build,
			model, fmt.Sprintf("%.0f", time.Since(began).Seconds())}); err != nil {
			return err
		}
	}
	return nil
}

// simulate creates the scans of a simulated set, unless they are there.
func (s *set) simulate() error {
	folder := filepath.Dir(s.files)
	if _, err := os.Stat(folder); err == nil || s.seed == 0 {
		return nil
	}
	part := folder + ".part"
	return errors.Join(os.RemoveAll(part), command("testdata/scanner/kinds.sh", part, "1", fmt.Sprint(s.seed), "60000"),
		command("mv", part, folder))
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

// note adds a reading, once for every build.
func note(folder string, r reading) error {
	all, err := readReadings(folder)
	if err != nil {
		return err
	}
	all = append(slices.DeleteFunc(all, func(old reading) bool { return old.set == r.set && old.build == r.build }), r)
	slices.SortStableFunc(all, func(a, b reading) int { return cmp.Compare(a.set, b.set) })
	rows := [][]string{{"set", "date", "commit", "build", "model", "seconds"}}
	for _, r := range all {
		rows = append(rows, []string{r.set, r.date, r.commit, r.build, r.model, r.seconds})
	}
	return writeTable(filepath.Join(folder, "cells", "readings.csv"), rows)
}

// modelOf returns the name of the model in results, with the digits of its hash.
func modelOf(results string) (string, error) {
	rows, err := readTable(results)
	if err != nil || len(rows) < 2 {
		return "", err
	}
	return rows[1][slices.Index(rows[0], "model")], nil
}

// command runs a program; its output goes to the standard error.
func command(name string, args ...string) error {
	c := exec.Command(name, args...)
	c.Stdout, c.Stderr = os.Stderr, os.Stderr
	if err := c.Run(); err != nil {
		return fmt.Errorf("%s %s: %w", name, strings.Join(args, " "), err)
	}
	return nil
}
