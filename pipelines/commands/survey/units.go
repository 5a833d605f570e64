// SPDX-License-Identifier: BSD-3-Clause

package survey

import (
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"

	"superpoint/filter/host"
	"superpoint/partition/base/tile"
	"superpoint/pipelines/commands/survey/folder"
	"superpoint/pipelines/commands/survey/plan"
)

// Listing is what a scheduler needs to run a survey on several machines.
type Listing struct {
	Folder string `json:"folder"` // absolute
	Plan   string `json:"plan"`   // checksum of plan.json
	Units  []Unit `json:"units"`  // each after those that it needs
}

// Unit is one process of a survey: pdal superpoint survey run FOLDER STEP NUMBER.
type Unit struct {
	Step   string   `json:"step"`
	Number int      `json:"number"` // of the source or tile; 0 for steps that run once
	Needs  []string `json:"needs"`  // what it reads: a unit, as "cut 3", or all units of a step, as "embed"
	Points int64    `json:"points"` // that it reads; an estimate from the bounds of the sources
	Memory int64    `json:"memory"` // bytes at its peak, with processes that it starts; an estimate
	Done   bool     `json:"done"`   // it does not have to run
}

// List returns the units of the survey in a folder.
func List(h host.Host, project string) (*Listing, error) {
	v, err := folder.Open(h, project, Steps())
	if err != nil {
		return nil, err
	}
	path, err := filepath.Abs(project)
	if err != nil {
		return nil, err
	}
	f, err := v.NewFilter()
	if err != nil {
		return nil, err
	}
	perPoint, err := f.MemoryPerPoint()
	if err != nil {
		return nil, err
	}
	l := &Listing{Folder: path, Plan: v.Sum}
	for _, s := range v.Steps {
		for _, n := range v.Numbers(s.Over) {
			l.Units = append(l.Units, unitOf(v, &s, n, perPoint))
		}
	}
	return l, nil
}

// WriteJSON writes the listing as JSON, a unit a line.
func (l *Listing) WriteJSON(w io.Writer) error {
	head, err := json.Marshal(Listing{Folder: l.Folder, Plan: l.Plan, Units: []Unit{}})
	if err != nil {
		return err
	}
	if _, err := fmt.Fprintln(w, string(head[:len(head)-len("]}")])); err != nil {
		return err
	}
	for i, u := range l.Units {
		text, err := json.Marshal(u)
		if err != nil {
			return err
		}
		end := ","
		if i == len(l.Units)-1 {
			end = ""
		}
		if _, err := fmt.Fprintln(w, string(text)+end); err != nil {
			return err
		}
	}
	_, err = fmt.Fprintln(w, "]}")
	return err
}

// unitOf returns the unit of a step for source or tile n.
func unitOf(v *folder.Survey, s *folder.Step, n int, perPoint float64) Unit {
	state := v.Look(s, n)
	points := pointsOf(v.Plan, s, n)
	if s.Name == classifyStep {
		points = pointsOfClasses(v)
	}
	return Unit{
		Step:   s.Name,
		Number: n,
		Needs:  s.Needs(v.Plan, n),
		Points: int64(points),
		Memory: int64(s.Memory(v.Plan, points, perPoint)),
		Done:   state.Err == nil && state.Mark != nil,
	}
}

// pointsOf returns an estimate of the points that a unit of a step reads.
func pointsOf(p *plan.Plan, s *folder.Step, n int) float64 {
	switch s.Over {
	case folder.Sources:
		return float64(p.Sources[n].Points)
	case folder.Once:
		return float64(p.Points)
	}
	core := p.Grid.Core(p.Tiles[n].Column, p.Tiles[n].Row)
	if s.Halo != nil {
		core = core.Grow(s.Halo(p))
	}
	return pointsIn(p, core)
}

// pointsOfClasses returns an estimate of the points that are classified at once.
func pointsOfClasses(v *folder.Survey) (most float64) {
	if v.Plan.Options["classes"] == "" {
		return 0
	}
	for _, b := range classBlocks(v) {
		points := float64(v.Plan.Points)
		if b.box != (tile.Box{}) {
			points = pointsIn(v.Plan, b.box)
		}
		most = max(most, points)
	}
	return most
}

// pointsIn returns an estimate of the points in a box: of each source, the share of its bounds in the box.
func pointsIn(p *plan.Plan, b tile.Box) (points float64) {
	for k := range p.Sources {
		bounds := p.Sources[k].Box().Grow(p.Grid.Size / 1000) // bounds of one point have no area
		if bounds.Touches(b) {
			points += float64(p.Sources[k].Points) * area(bounds.Intersect(b)) / area(bounds)
		}
	}
	return points
}

func area(b tile.Box) float64 { return (b.East - b.West) * (b.North - b.South) }
