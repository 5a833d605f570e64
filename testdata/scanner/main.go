// SPDX-License-Identifier: BSD-3-Clause

// Command scanner measures a simulated scene and writes a labelled cloud.
//
//	go run ./testdata/scanner -scene village -mode aerial -points 5000000 -seed 1 -o out.laz
//
// It writes LAS by itself and LAZ through pdal. The same seed gives the same bytes of
// LAS on any number of threads.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"superpoint/partition/base/parallel"
	"superpoint/testdata/las"
	"superpoint/testdata/realdata"
	"superpoint/testdata/scan"
	"superpoint/testdata/scenes"
)

const usage = `scanner: a simulated laser scan of a made-up world, with labels; see testdata/README.md

  go run ./testdata/scanner -scene village -mode aerial -points 5000000 -seed 1 -o out.laz

With -raw the points have class 0 ("never classified") and flight line 1, as from a
supplier, and the true classes and objects are in TrueClass and TrueObject.

`

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stderr); err != nil && err != flag.ErrHelp {
		fmt.Fprintln(os.Stderr, "scanner:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string, log io.Writer) error {
	f := flag.NewFlagSet("scanner", flag.ContinueOnError)
	f.SetOutput(log)
	f.Usage = func() { fmt.Fprint(log, usage); f.PrintDefaults() }
	scene := f.String("scene", "village", "`name` of a scene: "+strings.Join(scenes.Names(), ", "))
	water := f.Bool("water", false, "outdoors: rivers, canals or the sea, and bridges")
	relief := f.Float64("relief", 1, "outdoors: factor on the height of hills")
	var o scan.Options
	f.StringVar(&o.Mode, "mode", "",
		strings.Join(scan.Modes(), ", ")+" (default aerial outdoors, terrestrial indoors)")
	f.IntVar(&o.Points, "points", 1_000_000, "points wanted, up to 2³¹")
	f.Uint64Var(&o.Seed, "seed", 1, "of the scene and of the scanner's noise")
	f.Float64Var(&o.Density, "density", 0,
		"aerial: mean points per m² (default 4 for small clouds to 20 for large "+
			"ones)")
	f.Float64Var(&o.Stretch, "stretch", 0,
		"from the air: distance of scan lines over that of pulses along them (default "+
			"about 1)")
	f.Float64Var(&o.Reach, "reach", 0,
		"from the ground outdoors: longest range kept, in metres (default the scanner's "+
			"own)")
	f.Float64Var(&o.Rain, "rain", 1, "factor on the share of outliers, 3 in 100,000")
	f.Func("keep",
		"`classes` of the points to keep, with commas between, such as 4,5 for trees and bushes (default "+
			"all)",
		func(list string) error {
			for _, word := range strings.Split(list, ",") {
				class, err := strconv.ParseUint(word, 10, 8)
				if err != nil {
					return err
				}
				o.Keep = append(o.Keep, uint8(class))
			}
			return nil
		})
	f.Float64Var(&o.Noise, "noise", 1, "factor on all errors of measurement, 0 for none")
	f.BoolVar(&o.Color, "rgb", true, "colour the points")
	raw := f.Bool("raw", false, "unclassified points; true classes and objects in TrueClass and TrueObject")
	threads := f.Int("threads", 0, "threads, 0 for all")
	srs := f.Bool("srs", true, "outdoors: place the scene in UTM zone 32 (EPSG:32632) and say so in the file")
	out := f.String("o", "", "`file` to write, .las or .laz (needs pdal)")
	if err := f.Parse(args); err != nil {
		return err
	}
	if f.NArg() > 0 {
		return fmt.Errorf("unexpected argument %q", f.Arg(0))
	}
	if err := writable(*out); err != nil {
		return err
	}
	s, err := scenes.New(*scene, scenes.Options{Seed: o.Seed, Water: *water, Relief: *relief})
	if err != nil {
		return err
	}
	if o.Noise == 0 {
		o.Noise = -1
	}
	if o.Mode == "" {
		o.Mode = scan.Aerial
		if s.Indoor() {
			o.Mode = scan.Terrestrial
		}
	}
	layout, wkt := las.Layout{Offset: &o.Origin}, ""
	if *srs && !s.Indoor() {
		o.Origin, wkt = [3]float64{652_000, 5_412_000, 240}, utm32
	}
	begin := time.Now()
	p, err := scan.Cloud(parallel.Run{Context: ctx, Threads: *threads}, s, o)
	if err != nil {
		return err
	}
	p.WKT = wkt
	if *raw {
		layout.Kinds = map[string]int{scan.TrueClass: las.Uint8, scan.TrueObject: las.Uint16}
		scan.SetTruthApart(p)
	}
	if err := write(p, layout, *out); err != nil {
		return err
	}
	seconds := time.Since(begin).Seconds()
	fmt.Fprintf(log, "%s: %d points in %.1f s, %.2f million a second\n", *out, p.Len(), seconds,
		float64(p.Len())/seconds/1e6)
	return nil
}

// writable reports an error unless files of that name can be written.
func writable(out string) error {
	switch strings.ToLower(filepath.Ext(out)) {
	case ".las":
		return nil
	case ".laz":
		if _, err := realdata.PDAL(); err != nil {
			return fmt.Errorf("LAZ is written through pdal, LAS is not: %w", err)
		}
		return nil
	}
	return fmt.Errorf("output %q: name a .las or .laz file with -o", out)
}

// write writes a file of that name, under a temporary name until it is complete.
func write(p *las.Points, layout las.Layout, out string) error {
	file, err := p.File(layout)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp(filepath.Dir(out), ".scan-*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	raw, packed := filepath.Join(dir, "scan.las"), filepath.Join(dir, "scan.laz")
	if err := file.Write(raw); err != nil {
		return err
	}
	if strings.EqualFold(filepath.Ext(out), ".laz") {
		var extra []string // "all" is also PDAL 2.2's ClassFlags, which later versions warn of
		for name, kind := range layout.Kinds {
			extra = append(extra, name+"="+map[int]string{las.Uint8: "uint8", las.Uint16: "uint16"}[kind])
		}
		slices.Sort(extra)
		if err := realdata.Translate(raw, packed, strings.Join(extra, ",")); err != nil {
			return err
		}
		raw = packed
	}
	return os.Rename(raw, out)
}

// utm32 is the coordinate system of the simulated surveys.
const utm32 = `PROJCS["WGS 84 / UTM zone 32N",GEOGCS["WGS 84",DATUM["WGS_1984",SPHEROID["WGS 84",6378137,` +
	`298.257223563,AUTHORITY["EPSG","7030"]],AUTHORITY["EPSG","6326"]],PRIMEM["Greenwich",0,AUTHORITY["EPSG","8901"]],` +
	`UNIT["degree",0.0174532925199433,AUTHORITY["EPSG","9122"]],AUTHORITY["EPSG","4326"]],` +
	`PROJECTION["Transverse_Mercator"],PARAMETER["latitude_of_origin",0],PARAMETER["central_meridian",9],` +
	`PARAMETER["scale_factor",0.9996],PARAMETER["false_easting",500000],PARAMETER["false_northing",0],UNIT["metre",1,` +
	`AUTHORITY["EPSG","9001"]],AXIS["Easting",EAST],AXIS["Northing",NORTH],AUTHORITY["EPSG","32632"]]`
