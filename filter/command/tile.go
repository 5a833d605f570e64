package command

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"path/filepath"
	"slices"
	"strconv"

	"superpoint/embed/ranged"
	"superpoint/filter"
	"superpoint/partition/tile"
)

const tileUsage = `tile -output FOLDER [options] INPUT…
       superpoint tile -all FOLDER
       superpoint tile -cut K | -run N | -finish N FOLDER

Superpoints of a survey of any size, tile by tile, as if it were one cloud.
The first form plans tiles for files, folders, a virtual point cloud (.vpc) or
EPT (ept.json) and writes FOLDER/plan.json. Then, on one machine, -all does
everything that is not done yet. On several, each of these is one process:

  superpoint tile -cut K FOLDER      source K is cut into what each tile sees
  superpoint tile -run N FOLDER      tile N is segmented (cuts what is not cut)
  superpoint stitch FOLDER           joins the tiles (-rewrite=false: only ids)
  superpoint tile -finish N FOLDER   tile N gets its ids: FOLDER/out/….laz

A process that is started again skips what is done. Its result is one line of
JSON. The options of the stage are options of the plan; -threads and -device
are options of -run, too.`

func runTile(host Host, arguments []string) error {
	a := newArguments("tile", tileUsage, host, "truth", "instances", "first_id")
	folder := a.String("output", "", "folder to plan in; its path must be the same on every machine")
	var want lengths
	var cut, run, finish int
	ranged.Float(a.FlagSet, &want.tile, "tile", 0, least, 1e7, "edge of a tile in metres (default: 4 million points a tile)")
	ranged.Float(a.FlagSet, &want.halo, "halo", 0, least, most, "what a tile sees around it, in metres (default: what embedding and seam need)")
	ranged.Float(a.FlagSet, &want.seam, "seam", 0, least, most, "half width of the seam in metres (default: 12 point spacings, 0.2 to 5)")
	ranged.Int(a.FlagSet, &cut, "cut", -1, 0, math.MaxInt32, "cut source `K` of the plan in the folder")
	ranged.Int(a.FlagSet, &run, "run", -1, 0, math.MaxInt32, "segment tile `N` of the plan in the folder")
	ranged.Int(a.FlagSet, &finish, "finish", -1, 0, math.MaxInt32, "write tile `N` with its final ids")
	all := a.Bool("all", false, "cut, run, stitch and finish whatever is not done yet")
	files, err := a.parse(arguments)
	if err != nil {
		return err
	}
	units := 0
	for _, chosen := range []bool{cut >= 0, run >= 0, finish >= 0, *all} {
		if chosen {
			units++
		}
	}
	if units == 0 {
		return planSurvey(host, a, *folder, want, files)
	}
	if units > 1 || len(files) != 1 || *folder != "" {
		return errors.New("name one of -cut, -run, -finish and -all, and the folder of the plan")
	}
	p, err := openProject(files[0])
	if err != nil {
		return err
	}
	u := &unit{project: p, host: host, replaced: map[string]string{}}
	for _, name := range []string{"threads", "device"} {
		if given(a, name) {
			u.replaced[name] = *a.stage[name]
		}
	}
	switch {
	case cut >= 0:
		return u.report(u.cut(cut, everyTile))
	case run >= 0:
		return u.report(u.run(run))
	case finish >= 0:
		return u.report(u.finish(finish))
	}
	return u.all()
}

// unit does one unit of work.
type unit struct {
	*project
	host     Host
	replaced map[string]string // options given to this process
}

func (u *unit) report(result any, err error) error {
	if err != nil {
		return err
	}
	return json.NewEncoder(u.host.Stdout()).Encode(result)
}

// all does everything in this process. A tile that fails does not keep the
// others from being done; stitching waits for all.
func (u *unit) all() error {
	var failed []error
	step := func(name string, k, of int, err error) {
		if err != nil {
			failed = append(failed, err)
			u.host.Log(filter.LogError, err.Error())
		}
		u.host.Progress(name, float64(k+1)/float64(of))
	}
	for n := range u.plan.Tiles {
		_, err := u.run(n)
		step("tiles", n, len(u.plan.Tiles), err)
		if err := u.host.Context().Err(); err != nil {
			return err
		}
	}
	if len(failed) > 0 {
		return fmt.Errorf("%d of %d tiles failed, the first: %w; mend what is wrong and start again, what is done stays", len(failed), len(u.plan.Tiles), failed[0])
	}
	return u.stitchAndFinish()
}

// lengths are in metres; 0 = choose.
type lengths struct{ tile, halo, seam float64 }

const (
	wantedPoints   = 4e6 // in a tile's core, without -tile
	seamSpacings   = 12  // a superpoint of the default size is about ten points across
	leastSeam      = 0.2
	mostSeam       = 5.0
	margin         = 8.0 // spacings that the nearest neighbours may reach
	leastMargin    = 1.0
	tilesPerHalo   = 4 // least edge of a tile, in halos
	unknownSpacing = 0.5
)

// choose fills in what was not given.
func (l lengths) choose(spacing, halo, density float64) lengths {
	if spacing == 0 {
		spacing = unknownSpacing
	}
	if l.seam == 0 {
		l.seam = round(math.Min(mostSeam, math.Max(leastSeam, seamSpacings*spacing)))
	}
	if l.halo == 0 {
		l.halo = round(halo + l.seam + math.Max(leastMargin, margin*spacing))
	}
	if l.tile == 0 {
		l.tile = round(math.Max(math.Sqrt(wantedPoints/density), tilesPerHalo*l.halo))
	}
	return l
}

// round rounds up to two digits.
func round(v float64) float64 {
	unit := math.Pow(10, math.Floor(math.Log10(v))-1)
	text := strconv.FormatFloat(math.Ceil(v/unit-1e-9)*unit, 'g', 2, 64)
	v, _ = strconv.ParseFloat(text, 64)
	return v
}

// tiles lists the tiles in whose core a source has points, with the sources that
// each sees.
func tiles(g *tile.Grid, extents []extent) (all []planned, err error) {
	// a header's bounds may be rounded
	slack := g.Size / 1000
	type seen struct {
		used    bool
		sources []int
	}
	found, looked := map[[2]int]*seen{}, 0
	for k, e := range extents {
		for _, b := range e.boxes {
			b = b.Grow(slack)
			west, south := g.At(b.West-g.Halo-g.Size, b.South-g.Halo-g.Size)
			east, north := g.At(b.East+g.Halo+g.Size, b.North+g.Halo+g.Size)
			if looked += (east - west + 1) * (north - south + 1); looked > 16*tile.MaxTiles {
				return nil, fmt.Errorf("the sources lie in more than %d tiles of size %v; take larger tiles", tile.MaxTiles, g.Size)
			}
			for row := south; row <= north; row++ {
				for column := west; column <= east; column++ {
					core, at := g.Core(column, row), [2]int{row, column}
					if !touches(b, core.Grow(g.Halo)) {
						continue
					}
					t := found[at]
					if t == nil {
						t = &seen{}
						found[at] = t
					}
					if n := len(t.sources); n == 0 || t.sources[n-1] != k {
						t.sources = append(t.sources, k)
					}
					t.used = t.used || touches(b, core)
				}
			}
		}
	}
	for _, at := range slices.SortedFunc(maps.Keys(found), func(a, b [2]int) int { return slices.Compare(a[:], b[:]) }) {
		if t := found[at]; t.used {
			all = append(all, planned{Index: len(all), Column: at[1], Row: at[0], Sources: t.sources, Name: tileName(at[1], at[0])})
		}
	}
	return all, nil
}

func touches(a, b tile.Box) bool {
	return a.West <= b.East && b.West <= a.East && a.South <= b.North && b.South <= a.North
}

// slice is the file with the points of source k that tile n sees.
func (p *project) slice(n, k int) string {
	return p.path("cut", strconv.Itoa(n), strconv.Itoa(k)+".las")
}

func (p *project) result(t *planned) string { return filepath.Join(p.folder, "out", t.Name) }
