package main

import (
	"fmt"
	"slices"
	"strconv"

	"superpoint/partition/metrics"
	"superpoint/pipelines/commands/compare"
)

// methods has a row for a kind of clouds and a size: OOA and F of every method, as means
// over the clouds that all of the row have, whose number is behind the first; of a rival's
// settings the one with the best OOA.
func (t *table) methods(title string, all []cell, list ...string) {
	t.line("## %s: OOA/F by kind of clouds\n", title)
	head := []string{"clouds", "N/"}
	for _, w := range compare.Ways() {
		for i, m := range list {
			head = append(head, m)
			if i == 0 {
				head[len(head)-1] = fmt.Sprintf("equal %s: %s", compare.Title(w), m)
			}
		}
	}
	t.head(head...)
	for _, k := range kinds() {
		some := k.of(all)
		for _, size := range distinct(some, sizeOf) {
			row := []string{k.title(distinct(some, cloudOf)), fmt.Sprint(size)}
			for _, w := range compare.Ways() {
				row = append(row, beside(some, list, size, w)...)
			}
			if slices.ContainsFunc(row[2:], func(c string) bool { return c != "–" }) {
				t.row(row...)
			}
		}
	}
	t.line("")
}

// beside are the means of methods at a size, the first with the number of clouds; methods
// that reach the wanted number on fewer than half of the clouds are left out.
func beside(all []cell, list []string, size float64, way string) []string {
	row := make([]string, len(list))
	var in []string
	clouds := distinct(all, cloudOf)
	here := map[string][]cell{}
	for _, cloud := range clouds {
		here[cloud] = compare.At(all, cloud, size, way)
	}
	has := func(cloud, method string) bool {
		return slices.ContainsFunc(here[cloud], func(c cell) bool { return methodOf(&c) == method })
	}
	for i, m := range list {
		row[i] = "–"
		lacking := slices.DeleteFunc(slices.Clone(clouds), func(cloud string) bool { return has(cloud, m) })
		if 2*len(lacking) <= len(clouds) && len(lacking) < len(clouds) {
			in = append(in, m)
		}
	}
	clouds = slices.DeleteFunc(clouds, func(cloud string) bool {
		return slices.ContainsFunc(in, func(m string) bool { return !has(cloud, m) })
	})
	if len(in) < 2 || in[0] != list[0] || len(clouds) == 0 {
		return row
	}
	var some []cell
	for _, cloud := range clouds {
		some = append(some, here[cloud]...)
	}
	for i, m := range list {
		row[i] = bestOf(some, clouds, arm{system: m + "*"})
	}
	row[0] += fmt.Sprintf(" (%d)", len(clouds))
	return row
}

// settings says how good each setting of a rival is: its means, over the clouds and sizes
// at which all its rival's settings have the wanted number of components, how often it is
// the best of its rival's and of all, and how often ours wins against it alone.
func (t *table) settings(title string, all []cell) {
	own, others := with(all, isOurs), with(all, isRival)
	if len(own) == 0 || len(others) == 0 {
		return
	}
	best, first := bestSettings(others)
	t.line("## %s\n", title)
	t.head("setting", "OOA", "F", "means over", "best of its method's", "best of all", "`ssp` against it alone")
	for _, rival := range distinct(others, methodOf) {
		its := with(others, func(c *cell) bool { return methodOf(c) == rival && c.Option == compare.ByPieces })
		settings := distinct(its, systemOf)
		for _, setting := range settings {
			alone := with(its, func(c *cell) bool { return systemOf(c) == setting })
			peers := slices.DeleteFunc(slices.Clone(settings), func(other string) bool { // on clouds that this one is for
				return len(distinct(with(its, func(c *cell) bool { return systemOf(c) == other }), cloudOf)) <
					len(distinct(alone, cloudOf))
			})
			some, places, of := equal(its, peers)
			row := []string{"`" + setting + "`"}
			for _, m := range compared() {
				row = append(row, fmt.Sprintf("%.3f", over(&m, some, setting).mean/100))
			}
			met, _ := duels(append(slices.Clone(own), alone...), compare.ByPieces)
			t.row(append(row, fmt.Sprintf("%d of %d", places, of), strconv.Itoa(best[setting]), strconv.Itoa(first[setting]),
				fmt.Sprintf("%d of %d", len(met)-behind(met), len(met)))...)
		}
	}
	t.line("")
}

// bestSettings counts the comparisons at equal components in which a setting is the best
// of its method's, and of all.
func bestSettings(others []cell) (best, first map[string]int) {
	best, first = map[string]int{}, map[string]int{}
	for _, cloud := range distinct(others, cloudOf) {
		for _, size := range distinct(others, sizeOf) {
			here := compare.At(others, cloud, size, compare.ByPieces)
			if len(here) == 0 {
				continue
			}
			for _, m := range compared() {
				first[systemOf(m.Best(here))]++
				for _, rival := range distinct(here, methodOf) {
					best[systemOf(m.Best(with(here, func(c *cell) bool { return methodOf(c) == rival })))]++
				}
			}
		}
	}
	return best, first
}

// versus returns the cells of rivals by their authors' programs on validation, and those of ssp on the same
// clouds. Rivals need not be measured again for another model.
func versus(folder string) ([]cell, error) {
	others, err := load(folder, "peers")
	if err != nil || len(others) == 0 {
		return nil, err
	}
	val, err := load(folder, "val")
	clouds := distinct(others, cloudOf)
	return append(with(val, func(c *cell) bool { return isOurs(c) && slices.Contains(clouds, c.Set) }), others...), err
}

// peers compares with rivals by their authors' programs.
func (t *table) peers(folder string) error {
	all, err := versus(folder)
	if err != nil || len(all) == 0 {
		return err
	}
	val, err := load(folder, "val")
	if err != nil {
		return err
	}
	clouds := distinct(all, cloudOf)
	t.line("## Rivals by their own programs, on validation\n")
	t.head(append([]string{"clouds"}, wonHead()...)...)
	t.row(append([]string{fmt.Sprintf("all, %d", len(clouds))}, standings(all)...)...)
	for _, k := range kinds() {
		if of := distinct(k.of(all), cloudOf); len(of) > 0 {
			t.row(append([]string{fmt.Sprintf("%s, %d", k.title(of), len(of))}, standings(k.of(all))...)...)
		}
	}
	t.line("")
	own := with(val, func(c *cell) bool { return slices.Contains([]string{vccs, lin}, methodOf(c)) })
	own = append(own, all...)
	t.methods("Their programs beside this repository's, on validation", own, ours, vccs, "pcl", lin, "yblin", "pdal")
	t.programs(own)
	t.settings("Their settings", all)
	return nil
}

// sumTable is the table of a data set that lies in several results: all files added up, a
// row a size and system.
func sumTable(results []string) (string, error) {
	var all []cell
	for _, file := range results {
		some, err := readCells(file)
		if err != nil {
			return "", err
		}
		for i := range some {
			some[i].Set, some[i].File = "all", file+some[i].File
		}
		all = append(all, some...)
	}
	all = with(compare.Together(all), func(c *cell) bool { return c.Option == compare.ByPieces })
	var t table
	t.head("N/", "system", "segments", "pieces", "OOA", "BR coded", "BR printed", "BP")
	for _, size := range distinct(all, sizeOf) {
		for _, system := range distinct(all, systemOf) {
			var sum metrics.Counts
			for _, c := range with(all, func(c *cell) bool { return c.Value == size && systemOf(c) == system }) {
				sum.Add(c.Counts)
			}
			s := sum.Scores()
			row := []string{fmt.Sprint(size), system, fmt.Sprint(sum.Segments), fmt.Sprint(sum.Pieces)}
			for _, m := range figures() {
				if m.Name != "F" {
					row = append(row, fmt.Sprintf("%.1f", 100*m.Of(s)))
				}
			}
			t.row(row...)
		}
	}
	return t.String(), nil
}
