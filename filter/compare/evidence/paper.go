package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"superpoint/partition/metrics"
)

// contender is a method of the paper, and the systems that stand for it.
type contender struct {
	name  string
	match []string
}

// contenders are those of the paper's figure, trained as the paper says.
func contenders() []contender {
	return append([]contender{
		{"SSP", []string{"ssp:paper-cross"}},
		{"SSP-SEAL", []string{"ssp:paper-seal"}},
		{"SSP-cluster", []string{"ssp-cluster:paper-cluster*"}},
	}, unsupervised()...)
}

// unsupervised are the rivals that do not learn.
func unsupervised() []contender {
	return []contender{
		{"Geom-graph", []string{"geom-graph*"}},
		{"VCCS", []string{"vccs*"}},
		{"Lin", []string{"lin*"}},
	}
}

// shipped are the default model and its rivals.
func shipped() []contender { return append([]contender{{"`ssp`", []string{"ssp"}}}, unsupervised()...) }

// paperTables are like the paper's figure: methods by kinds of clouds.
func paperTables(folder string) (string, error) {
	all, err := load(folder, "paper", "clusters", "rivals")
	if err != nil || len(all) == 0 {
		return "Not measured.", err
	}
	var t table
	t.methods(all, contenders())
	return t.String(), nil
}

// shippedTables are the same for the default model, on the clouds of RESULTS.md.
func shippedTables(folder string) (string, error) {
	var t table
	for _, name := range []string{"test", "simulated", "val"} {
		all, err := load(folder, name)
		if err != nil {
			return "", err
		}
		fmt.Fprintf(&t, "### %s\n\n", name)
		if len(all) == 0 {
			t.WriteString("Not measured.\n\n")
			continue
		}
		t.methods(all, shipped())
		t.WriteByte('\n')
	}
	return t.String(), nil
}

// methods has a row a kind, size and method; of a method's settings the one with the
// best OOA.
func (t *table) methods(all []cell, list []contender) {
	t.head("clouds", "N/", "method", "segments", "pieces", "OOA", "BR coded", "BR printed", "BP", "best setting")
	for _, k := range kinds() {
		some := k.of(all)
		clouds := distinct(some, (*cell).ofSet)
		if len(clouds) == 0 {
			continue
		}
		for _, size := range distinct(some, (*cell).ofSize) {
			of := common(with(some, func(c *cell) bool { return c.size == size }), list)
			n := len(distinct(of, (*cell).ofSet))
			for _, m := range list {
				if row := best(of, m); n > 0 && row != nil {
					t.row(append([]string{fmt.Sprintf("%s, %d", k.title(clouds), n), strconv.Itoa(size)}, row...)...)
				}
			}
		}
	}
}

// common leaves the clouds that every method has, reached by one of its settings with
// every seed, and of each method the settings that reached all of these.
func common(all []cell, list []contender) []cell {
	full := func(set, system string) bool {
		of := with(all, func(c *cell) bool { return c.system == system })
		here := with(of, func(c *cell) bool { return c.set == set && c.reached() })
		return len(here) == len(distinct(of, (*cell).ofSeed))
	}
	sets := slices.DeleteFunc(distinct(all, (*cell).ofSet), func(set string) bool {
		return slices.ContainsFunc(list, func(m contender) bool {
			return !slices.ContainsFunc(sorted(all, m.match...), func(system string) bool { return full(set, system) })
		})
	})
	return with(all, func(c *cell) bool {
		return slices.Contains(sets, c.set) &&
			!slices.ContainsFunc(sets, func(set string) bool { return !full(set, c.system) })
	})
}

// best is the row of the method's setting with the best OOA, of the counts of all
// clouds and seeds together, as the paper adds them up.
func best(all []cell, m contender) (row []string) {
	most := -1.0
	for _, system := range sorted(all, m.match...) {
		var sum metrics.Counts
		some := with(all, func(c *cell) bool { return c.system == system })
		for i := range some {
			sum.Add(some[i].Counts)
		}
		s := sum.Scores()
		if ooa := figures()[0].of(&s); ooa > most {
			most = ooa
			segments, pieces := numbers(some, system)
			row = []string{m.name, segments, pieces}
			for _, f := range figures()[:4] {
				row = append(row, fmt.Sprintf("%.1f", f.of(&s)))
			}
			row = append(row, setting(system))
		}
	}
	return row
}

// setting is what a system's name says beside the method.
func setting(system string) string {
	_, options, found := strings.Cut(system, "+")
	if !found {
		return "–"
	}
	return strings.ReplaceAll(options, "+", ", ")
}

// searchTable is the search for γ of SSP-cluster.
func searchTable(folder string) (string, error) {
	all, err := load(folder, "cluster-search")
	if err != nil || len(all) == 0 {
		return "Not measured.", err
	}
	var t table
	t.head(headings("trained with γ, segmented with γ")...)
	for _, system := range distinct(all, (*cell).ofSystem) {
		name, option, _ := strings.Cut(system, "+embedding_importance=")
		trained := strings.TrimPrefix(name, "ssp-cluster:paper-cluster")
		t.row(append([]string{trained + ", " + option}, values(all, system)...)...)
	}
	return t.String(), nil
}

// sumTable is the table of a data set that lies in several results: all files added
// up, a row a size and system.
func sumTable(results []string) (string, error) {
	var all []cell
	for _, file := range results {
		some, err := readCells(file)
		if err != nil {
			return "", err
		}
		for i := range some {
			some[i].set = "all"
			some[i].file = file + some[i].file
		}
		all = append(all, some...)
	}
	all = whole(all)
	var t table
	t.head("N/", "system", "segments", "pieces", "OOA", "BR coded", "BR printed", "BP")
	for _, size := range distinct(all, (*cell).ofSize) {
		some := with(all, func(c *cell) bool { return c.size == size })
		for _, system := range distinct(some, (*cell).ofSystem) {
			row := best(some, contender{match: []string{system}})
			t.row(append([]string{strconv.Itoa(size), system}, row[1:len(row)-1]...)...)
		}
	}
	return t.String(), nil
}
