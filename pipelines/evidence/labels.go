// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"encoding/csv"
	"errors"
	"flag"
	"fmt"
	"io"
	"path/filepath"
	"strconv"

	"superpoint/pipelines/files/atomicfile"
	"superpoint/pipelines/land/classrules"
	"superpoint/testdata/las"
)

// labelCommand labels superpoints as a user would who knows the truth: the first ones that propose names,
// each with the class of most of its points. A superpoint whose truth is not known, or is one of several
// classes, is passed over. classes.sh calls it.
func labelCommand(args []string) error {
	flags := flag.NewFlagSet("label", flag.ContinueOnError)
	rules := flags.String("rules", classesRules, "what labels mean")
	count := flags.Int("count", 20, "number of labels")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() != 3 {
		return errors.New("label: give SEGMENTED.las, PROPOSED.csv and OUTPUT.csv")
	}
	r, err := classrules.Read(*rules)
	if err != nil {
		return err
	}
	p, err := las.ReadFile(flags.Arg(0))
	if err != nil {
		return err
	}
	proposed, err := readTable(flags.Arg(1))
	if err != nil {
		return err
	}
	truth, err := truthOf(p, r, flags.Arg(0))
	if err != nil {
		return err
	}
	lines := [][]string{{"id", "label"}}
	for _, line := range proposed {
		id, isNumber := line["id"].(float64)
		if !isNumber {
			return fmt.Errorf("%s: the id %v is no number", flags.Arg(1), line["id"])
		}
		if code, known := truth[id]; known && len(lines) <= *count {
			lines = append(lines, []string{strconv.Itoa(int(id)), strconv.Itoa(code)})
		}
	}
	return atomicfile.Write(flags.Arg(2), func(w io.Writer) error { return csv.NewWriter(w).WriteAll(lines) })
}

// truthOf returns the code of the class that most labelled points of a superpoint have, by its id, where it
// is a single class.
func truthOf(p *las.Points, r *classrules.Rules, path string) (map[float64]int, error) {
	ids := p.Extra["SuperpointID"]
	if ids == nil {
		return nil, fmt.Errorf("%s: no dimension SuperpointID; segment it first", path)
	}
	meaning, err := meaningOf(p, r, path)
	if err != nil {
		return nil, err
	}
	count := map[float64]map[int]int{}
	for i, id := range ids {
		if meaning[i] < 0 {
			continue
		}
		if count[id] == nil {
			count[id] = map[int]int{}
		}
		count[id][meaning[i]]++
	}
	truth := map[float64]int{}
	for id, of := range count {
		most := -1
		for set, points := range of {
			if most < 0 || points > of[most] || points == of[most] && set < most {
				most = set
			}
		}
		if classes := r.Sets[most]; len(classes) == 1 {
			truth[id] = int(r.Classes[classes[0]].Code)
		}
	}
	return truth, nil
}

// meaningOf returns what the labels of the points mean, see classrules.Rules.
func meaningOf(p *las.Points, r *classrules.Rules, path string) ([]int, error) {
	labels := make([]float64, p.Len())
	for i, v := range p.Classification {
		labels[i] = float64(v)
	}
	meaning, err := r.Meaning(filepath.Base(path), labels)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return meaning, nil
}
