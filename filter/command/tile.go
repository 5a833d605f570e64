package command

import (
	"encoding/json"
	"errors"
	"math"

	"superpoint/embed/ranged"
	"superpoint/filter/survey"
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
	var want survey.Lengths
	var cut, run, finish int
	ranged.Float(a.FlagSet, &want.Tile, "tile", 0, least, 1e7, "edge of a tile in metres (default: 4 million points a tile)")
	ranged.Float(a.FlagSet, &want.Halo, "halo", 0, least, most, "what a tile sees around it, in metres (default: what embedding and seam need)")
	ranged.Float(a.FlagSet, &want.Seam, "seam", 0, least, most, "half width of the seam in metres (default: 12 point spacings, 0.2 to 5)")
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
		return survey.Plan(host, survey.Request{
			Folder: *folder, Inputs: files, Options: a.stageOptions(), Lengths: want, Files: &a.files,
		})
	}
	if units > 1 || len(files) != 1 || *folder != "" {
		return errors.New("name one of -cut, -run, -finish and -all, and the folder of the plan")
	}
	s, err := survey.Open(host, files[0])
	if err != nil {
		return err
	}
	for _, name := range []string{"threads", "device"} {
		if given(a, name) {
			s.Replaced[name] = *a.stage[name]
		}
	}
	switch {
	case cut >= 0:
		done, err := s.Cut(cut)
		return report(host, done, err)
	case run >= 0:
		done, err := s.Run(run)
		return report(host, done, err)
	case finish >= 0:
		done, err := s.Finish(finish)
		return report(host, done, err)
	}
	return s.All()
}

// report writes what a unit of work tells as a line of JSON.
func report(host Host, result any, err error) error {
	if err != nil {
		return err
	}
	return json.NewEncoder(host.Stdout()).Encode(result)
}
