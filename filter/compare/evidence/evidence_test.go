package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"superpoint/partition/metrics"
)

// TestPagesAreOfTheirCells: every number of the tables of EVIDENCE.md and of the
// kinds of RESULTS.md is what the committed cells say.
func TestPagesAreOfTheirCells(t *testing.T) {
	for _, s := range sections() {
		old, err := os.ReadFile(filepath.Join("..", s.page))
		if err != nil {
			t.Fatal(err)
		}
		text, err := s.render(old, filepath.Join("..", "cells"))
		if err != nil {
			t.Fatal(err)
		}
		if string(old) != string(text) {
			t.Errorf("%s, %s: the table is not that of the cells; run go run ./filter/compare/evidence", s.page, s.name)
		}
	}
}

func made(set, system string, seed, size int, pure, found int64) cell {
	return cell{set: set, system: system, seed: seed, size: size, Counts: metrics.Counts{Points: 1000,
		Segments: int64(1000 / size), Pieces: int64(1000 / size), Classified: 1000, Pure: pure, TrueEdges: 100, Predicted: 50,
		TrueFound: found, PredictedGood: 25}}
}

// TestSpread: means are over clouds and sizes, their spread is over seeds, and sizes
// that one training lacks are left out.
func TestSpread(t *testing.T) {
	all := []cell{
		made("a", "x", 1, 50, 900, 50), made("b", "x", 1, 50, 800, 50), made("a", "x", 2, 50, 1000, 50),
		made("b", "x", 2, 50, 900, 50), made("a", "y", 1, 50, 700, 20), made("b", "y", 1, 50, 700, 20),
		made("a", "y", 2, 50, 700, 20), made("b", "y", 2, 50, 700, 20),
		made("a", "x", 1, 100, 0, 0), made("a", "x", 2, 100, 0, 0), made("a", "y", 1, 100, 0, 0),
	}
	short := made("a", "y", 2, 100, 0, 0)
	short.Pieces = 5
	some, sizes, of := equal(append(all, short), []string{"x", "y"})
	if len(some) != 8 || sizes != 2 || of != 3 {
		t.Fatalf("%d cells of %d of %d", len(some), sizes, of)
	}
	ooa := figures()[0]
	if got := ooa.over(some, "x").String(); got != "90.0 ± 7.1" { // 85 and 95
		t.Errorf("OOA %s", got)
	}
	var b table
	b.against(some, []arm{{"x", "first"}, {"y", "second"}})
	if want := "| second | +20.0 | +21.4 | 2 of 2 | 2 of 2 | +15.0 | +21.4 |"; !strings.Contains(b.String(), want) {
		t.Errorf("no %q in\n%s", want, b.String())
	}
}

// TestMethods: of a method's settings the best on all clouds counts, clouds are added
// up by their counts, and a cloud that a method cannot do is left out for all.
func TestMethods(t *testing.T) {
	all := []cell{
		made("sim_room_1", "ssp", 0, 50, 990, 50), made("sim_home_1", "ssp", 0, 50, 970, 50),
		made("sim_room_1", "vccs", 0, 50, 900, 50), made("sim_home_1", "vccs", 0, 50, 900, 50),
		made("sim_room_1", "vccs+normal_importance=0.4", 0, 50, 950, 50),
		made("sim_home_1", "vccs+normal_importance=0.4", 0, 50, 930, 50),
		made("sim_handheld_1", "ssp", 0, 50, 100, 50),
	}
	var b table
	b.methods(all, []contender{{"A", []string{"ssp"}}, {"B", []string{"vccs*"}}})
	for _, want := range []string{
		"| rooms, simulated, 2 | 50 | A | 40 | 40 | 98.0 | 50.0 | 25.0 | 50.0 | – |",
		"| rooms, simulated, 2 | 50 | B | 40 | 40 | 94.0 | 50.0 | 25.0 | 50.0 | normal_importance=0.4 |",
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in\n%s", want, b.String())
		}
	}
}

// TestKeep: results of compare become cells, the newest of a model counts, files of a
// set are added up, and what is read again is the same.
func TestKeep(t *testing.T) {
	dir := t.TempDir()
	head := "set,file,system,model,option,value,segments,mean_size,error,points,pieces,classified,pure,true_edges," +
		"pred_edges,true_found,pred_confirmed\n"
	row := func(file, system, option, pure string) string {
		return "town," + file + "," + system + ",m," + option + ",100,10,100,,1000,11,900," + pure + ",40,30,20,15\n"
	}
	results := filepath.Join(dir, "results.csv")
	text := head + row("a.laz", "ssp:m-2+x=1", "pieces", "1") + row("a.laz", "ssp:m-2+x=1", "pieces", "850") +
		row("b.laz", "ssp:m-2+x=1", "pieces", "800") + row("a.laz", "ssp:m-2+x=1", "regularization", "1")
	if err := os.WriteFile(results, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	kept := filepath.Join(dir, "cells.csv")
	if err := keep(kept, []string{results}); err != nil {
		t.Fatal(err)
	}
	all, err := readCells(kept)
	if err != nil || len(all) != 1 {
		t.Fatalf("%+v, %v", all, err)
	}
	c := all[0]
	if c.system != "ssp:m+x=1" || c.seed != 2 || c.Pure != 1650 || c.Pieces != 22 || c.PredictedGood != 30 {
		t.Errorf("%+v", c)
	}
	sum, err := sumTable([]string{results, results})
	if err != nil || !strings.Contains(sum, "| 100 | ssp:m+x=1 | 40 | 44 | 91.7 |") {
		t.Errorf("%s, %v", sum, err)
	}
}

// TestMarks: clouds that touch tiles of training are marked, and their kinds.
func TestMarks(t *testing.T) {
	if got := marked("lidarhd_77055_627760"); got != "lidarhd_77055_627760†" {
		t.Error(got)
	}
	k := kinds()[0]
	if a, b := k.title([]string{"isprs_samp23"}), k.title([]string{"ahn3_cropped_2", "isprs_samp23"}); a+"†" != b {
		t.Errorf("%q and %q", a, b)
	}
}

// TestDuels: ssp meets the best of its rivals that have the wanted number of pieces,
// and a cloud where none has is named.
func TestDuels(t *testing.T) {
	far := made("mosd_1", "ez1", 0, 50, 990, 90)
	far.Pieces = 5
	alone := made("mosd_1", "cp1", 0, 100, 950, 50)
	alone.Pieces = 5
	text := duelTables([]cell{
		made("mosd_1", "ssp", 0, 50, 900, 60), made("mosd_1", "cp1", 0, 50, 880, 40),
		made("mosd_1", "cp2", 0, 50, 910, 30), far, made("mosd_1", "ssp", 0, 100, 900, 60), alone,
	})
	for _, want := range []string{
		"| all, 1 | 1 of 2 | 0 of 1 | 1 of 1 | -0.010, +0.",
		"\n| tables, depth camera, 1 | 1 of 2 |", "missed: mosd_1 at N/100 by every rival.\n",
		"| -0.010 | mosd_1 | 50 | OOA | 0.900 | 0.910 cp2 |\n| +0.", " cp1 |\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
}

// TestBestSettings: a setting is counted where it is the best of its rival's, and
// where it is the best of all; one that misses the number of pieces is not.
func TestBestSettings(t *testing.T) {
	far := made("a", "cp_far", 0, 50, 1000, 90)
	far.Pieces = 5
	own, first := bestSettings([]cell{
		made("a", "cp_plain", 0, 50, 900, 40), made("a", "cp_other", 0, 50, 880, 60), far,
		made("a", "ez_plain", 0, 50, 950, 50),
	})
	if own["cp_plain"] != 1 || own["cp_other"] != 1 || own["ez_plain"] != 2 || own["cp_far"] != 0 {
		t.Errorf("best of their rivals' %v", own)
	}
	if first["cp_plain"] != 0 || first["cp_other"] != 1 || first["ez_plain"] != 1 {
		t.Errorf("best of all %v", first)
	}
}
