package command

import (
	"errors"
	"strconv"

	"superpoint/embed/ranged"
	"superpoint/filter/survey"
)

const stitchUsage = `stitch [options] FOLDER

Joins the superpoints of all tiles of a plan (see superpoint tile -help) across
their seams, gives ids from 1 that are unique in the survey, and writes the
tiles with them to FOLDER/out. The ids do not depend on the number of processes
that made the tiles, or on their order.`

func runStitch(host Host, arguments []string) error {
	a := newArguments("stitch", stitchUsage, host, ownAll()...)
	rewrite := a.Bool("rewrite", true, "write the tiles with their ids; false leaves that to tile -finish")
	var threads int
	ranged.Int(a.FlagSet, &threads, "threads", 0, 0, mostThreads, "threads; 0 = all")
	files, err := a.parse(arguments)
	if err != nil {
		return err
	}
	if len(files) != 1 {
		return errors.New("name the folder of a plan")
	}
	s, err := survey.Open(host, files[0])
	if err != nil {
		return err
	}
	s.Replaced["threads"] = strconv.Itoa(threads)
	if *rewrite {
		return s.StitchAndFinish()
	}
	done, err := s.Stitch()
	return report(host, done, err)
}
