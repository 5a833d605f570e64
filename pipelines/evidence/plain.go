package main

import (
	"flag"
	"fmt"
	"path/filepath"
	"slices"

	"superpoint/pipelines/commands/classrules"
	"superpoint/testdata/las"
)

// plainCommand writes copies of labelled LAS files into a folder, for programs that learn one
// class for each point.
func plainCommand(args []string) error {
	flags := flag.NewFlagSet("plain", flag.ContinueOnError)
	rules := flags.String("rules", classesRules, "what labels mean")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() < 2 {
		return fmt.Errorf("%d arguments; give a folder and LAS files", flags.NArg())
	}
	r, err := classrules.Read(*rules)
	if err != nil {
		return err
	}
	for _, path := range flags.Args()[1:] {
		if err := plain(r, path, filepath.Join(flags.Arg(0), filepath.Base(path))); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
	}
	return nil
}

// plain writes a copy of a LAS file. Classification is the code of the class that a label means,
// 0 where it means several or none. Coordinates are relative to the least, for programs that
// read them as 32-bit floats; colors, which few files have, are left out.
func plain(r *classrules.Rules, from, to string) error {
	p, err := las.ReadFile(from)
	if err != nil {
		return err
	}
	meaning, err := r.Meaning(filepath.Base(from), floats(p.Classification))
	if err != nil {
		return err
	}
	for i, set := range meaning {
		p.Classification[i] = 0
		if set >= 0 && len(r.Sets[set]) == 1 {
			p.Classification[i] = uint8(r.Classes[r.Sets[set][0]].Code)
		}
	}
	for _, axis := range [][]float64{p.X, p.Y, p.Z} {
		least := slices.Min(axis)
		for i := range axis {
			axis[i] -= least
		}
	}
	q := las.Points{X: p.X, Y: p.Y, Z: p.Z, Classification: p.Classification}
	return las.WriteFile(to, &q, 0)
}
