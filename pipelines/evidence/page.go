// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"bytes"
	_ "embed"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"text/template"

	"gopkg.in/yaml.v3"

	"superpoint/embed/classes"
	"superpoint/partition/metrics"
	"superpoint/pipelines/commands/compare"
	"superpoint/pipelines/files/generated"
)

// results is the name of the generated page.
const results = "RESULTS.md"

// words has the text of the page and its tables, with columns and formats of numbers. The numbers are methods
// of page and group. The templates named below are blocks of README.md and choosing.md.
//
//go:embed RESULTS.md.in
var words string

// numbersBlock is the generated part of README.md.
const numbersBlock = "numbers"

// tableBlocks are the generated parts of choosing.md.
var tableBlocks = []string{"tools", "results", "speed"}

// contents are what the tables are of.
//
//go:embed tables.yaml
var contents []byte

// page is what the tables are made of.
type page struct {
	folder   string
	All      []*group `yaml:"sets"` // with their comparisons
	Kinds    []*group
	Touching *group
	Learned  string
	Curves   struct {
		Cells   []string
		Systems []*group
	}
	// rivals by their authors' programs on validation, and ssp on the same clouds
	Peers   *group        `yaml:"-"`
	Card    *classes.Card `yaml:"-"` // of the built-in classifier
	classes rows
}

func openPage(folder string) (*page, error) {
	p := &page{folder: folder}
	d := yaml.NewDecoder(bytes.NewReader(contents))
	d.KnownFields(true)
	if err := d.Decode(p); err != nil {
		return nil, fmt.Errorf("tables.yaml: %w", err)
	}
	readings, err := readTable(filepath.Join(folder, "cells", "readings.csv"))
	if err != nil {
		return nil, err
	}
	for _, g := range p.All {
		if g.rows, err = p.load(g.Name); err != nil {
			return nil, err
		}
		g.Readings, g.Last = g.Earlier, unmeasured
		for _, r := range readings {
			if r["set"] == g.Name {
				g.Readings, g.Last = g.Readings+1, r["date"]
			}
		}
	}
	others, err := p.load("peers")
	if err != nil {
		return nil, err
	}
	mine := compare.Select(p.set("val").rows, func(r *row) bool { return isOurs(r) && others.Has(r.cloud) })
	p.Peers = &group{rows: append(mine, others...)}
	if p.classes, err = readShares(filepath.Join(folder, classCells)); err != nil {
		return nil, err
	}
	return p, p.addCard()
}

// load reads committed cells by the names of their tables, without cells of clouds that training had.
func (p *page) load(names ...string) (all rows, err error) {
	for _, name := range names {
		cells, err := readCells(filepath.Join(p.folder, "cells", name+".csv"))
		if err != nil {
			return nil, err
		}
		for i := range cells {
			if cells[i].Set != p.Learned {
				all = append(all, rowOf(name, &cells[i]))
			}
		}
	}
	return all, nil
}

func (p *page) set(name string) *group {
	return p.All[slices.IndexFunc(p.All, func(g *group) bool { return g.Name == name })]
}

// Sets are the sets of clouds of comparisons.
func (p *page) Sets() []*group {
	return slices.DeleteFunc(slices.Clone(p.All), func(g *group) bool { return len(g.rows) == 0 })
}

// Together are the comparisons of all sets.
func (p *page) Together() (all rows) {
	for _, g := range p.All {
		all = append(all, g.rows...)
	}
	return all
}

// Validation are the rivals on validation by our own code, and by their authors' programs.
func (p *page) Validation() rows {
	return append(compare.Select(p.set("val").rows, isRival), p.Peers.rows...)
}

// Classes are the classes of a set.
func (p *page) Classes(set string) *group {
	g := *p.set(set)
	g.rows = compare.Select(p.classes, func(r *row) bool { return r.set == set })
	return &g
}

// Named are the classes of sets.
func (p *page) Named(sets ...string) (all []*group) {
	for _, name := range sets {
		all = append(all, p.Classes(name))
	}
	return all
}

// Each are the classes of the clouds of a set.
func (p *page) Each(set string) (clouds []*group) {
	for cloud, its := range groups(p.Classes(set).rows, cloudOf) {
		clouds = append(clouds, &group{Title: cloud, rows: its})
	}
	return clouds
}

// leftOut is the set of surveys that a network of the built-in classifier had not learned; its card has their
// figures.
const leftOut = "left out"

// addCard adds the figures of surveys left out, for all densities.
func (p *page) addCard() error {
	m, err := classes.Builtin("aerial")
	if err != nil {
		return err
	}
	p.Card = m.Card
	p.classes = append(p.classes, figuresOf(m.Card)...)
	return nil
}

// figuresOf returns the figures of surveys left out in the card of a classifier.
func figuresOf(card *classes.Card) (all rows) {
	for key, v := range card.Training.Figures {
		survey, figure, _ := strings.Cut(key, ": ")
		if strings.Contains(survey, " at ") { // thinned
			continue
		}
		system := own
		figure, is := strings.CutSuffix(strings.Replace(figure, iouOf+"of ", iouOf, 1), " by SMRF")
		if is {
			system = smrf
		}
		all.put(leftOut, survey, system, figure, v)
	}
	return all
}

// files are the page, its figures, and the blocks of README.md and choosing.md, for the folder of the page.
func files(folder string) ([]generated.File, error) {
	p, err := openPage(folder)
	if err != nil {
		return nil, err
	}
	t, err := template.New(results).Funcs(template.FuncMap{
		"per": func(unit, of float64) float64 { return of / unit }}).Parse(words)
	if err != nil {
		return nil, err
	}
	blocks := map[string]string{}
	for _, name := range append([]string{results, numbersBlock}, tableBlocks...) {
		var b strings.Builder
		if err := t.ExecuteTemplate(&b, name, p); err != nil {
			return nil, err
		}
		blocks[name] = b.String()
	}
	page := blocks[results]
	delete(blocks, results)
	for name, text := range blocks {
		blocks[name] = "\n" + text + "\n"
	}
	numbers := map[string]string{numbersBlock: blocks[numbersBlock]}
	delete(blocks, numbersBlock)
	curves, err := p.drawCurves()
	if err != nil {
		return nil, err
	}
	bars, err := p.stepBars()
	if err != nil {
		return nil, err
	}
	bench, err := drawSteps(bars)
	return []generated.File{
		{Path: home + "/" + results, Whole: page},
		{Path: home + "/curves.svg", Whole: curves},
		{Path: home + "/steps.svg", Whole: bench},
		{Path: "README.md", By: "go run ./pipelines/evidence", Sections: numbers},
		{Path: "pipelines/choosing.md", By: "go run ./pipelines/evidence", Sections: blocks},
	}, err
}

// drawCurves returns the paper's figure of its systems: OOA and F against the number of components, by kinds
// of clouds, the counts of all clouds of a kind added up.
func (p *page) drawCurves() (string, error) {
	all, err := p.load(p.Curves.Cells...)
	if err != nil {
		return "", err
	}
	var drawn []cell
	var systems, patterns, titles []string
	for _, s := range p.Curves.Systems {
		systems, patterns = append(systems, s.Title), append(patterns, s.Match)
	}
	for _, kind := range p.Kinds {
		for size, here := range groups(reaching(all.Of(kind), compare.ByPieces), sizeOf) {
			some, clouds := shared(here, cloudOf, patterns)
			for i, pattern := range patterns {
				its := best(some, pattern, len(clouds))
				if len(its) == 0 {
					continue
				}
				c := cell{Set: p.marked(kind, some), System: systems[i],
					Option: compare.ByPieces, Value: size}
				for _, r := range its {
					c.Add(r.Counts)
				}
				c.Pieces /= int64(len(distinct(its, seedOf)))
				if drawn = append(drawn, c); !slices.Contains(titles, c.Set) {
					titles = append(titles, c.Set)
				}
			}
		}
	}
	var text strings.Builder
	ooa := func(s metrics.Scores) metrics.Ratio { return s.OOA }
	err = compare.WriteFigure(&text, drawn, titles, systems, []compare.Measure{
		{Name: "OOA (%)", Of: ooa}, {Name: "F (%)", Of: metrics.Scores.F}})
	return text.String(), err
}
