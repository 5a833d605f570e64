package command

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"

	"superpoint/embed/cli"
	"superpoint/filter/survey"
)

const surveyPlanUsage = `--output FOLDER [options] INPUT…

Superpoints of a survey of any size, tile by tile, as if it were one cloud: this
plans tiles for files, folders, a virtual point cloud (.vpc) or EPT (ept.json) and
writes FOLDER/plan.json. The options of the stage are options of the plan. Then,
on one machine,

  pdal superpoint survey run FOLDER          does all that is not done yet

and on several, each of these is one process:

  pdal superpoint survey cut FOLDER K        source K is cut into what each tile sees
  pdal superpoint survey embed FOLDER N      tile N: what is around its points (cuts what is not cut)
  pdal superpoint survey run FOLDER N        tile N: its points are merged
  pdal superpoint survey join FOLDER         what tiles merged is partitioned at once
  pdal superpoint survey refine FOLDER N     the points of tile N move to where they belong
  pdal superpoint survey stitch FOLDER       superpoints across tiles become one, and get ids
  pdal superpoint survey finish FOLDER N     tile N gets its ids: FOLDER/out/….laz

A process that is started again skips what is done. Its result is one line of JSON.
`

const surveyRunUsage = `FOLDER [N]

Does all of a planned survey that is not done yet: cuts, embeds, merges, joins and
writes. With the number of a tile it merges the points of that only, for which all
tiles must be embedded; tiles that are stitched it segments.
`

const surveyCutUsage = `FOLDER K

Cuts source K of a planned survey into what each tile sees of it. survey run does
it where it was not done.
`

const surveyStitchUsage = `FOLDER

Joins the superpoints of all tiles of a planned survey across their borders, and
gives ids from 1 that are unique in the survey. They do not depend on the number
of processes that made the tiles, or on their order.
`

const surveyJoinUsage = `FOLDER

Joins what the tiles of a planned survey have merged their points into, and
partitions that: the joint step of exact tiles. Nothing to do where the plan's
tiles are stitched.
`

const surveyEmbedUsage = `FOLDER [N]

Looks around the points of the tiles of a planned survey, or of tile N only:
neighbours, embedding and edges. Nothing to do where the plan's tiles are stitched.
`

const surveyRefineUsage = `FOLDER [N]

Moves the points of the tiles between the superpoints of the joined survey, or of
tile N only. Nothing to do where the plan's tiles are stitched.
`

const surveyFinishUsage = `FOLDER [N]

Writes the tiles of a stitched survey with their ids to FOLDER/out, or tile N only.
`

func surveyPlan(a *arguments) func(names []string) error {
	r := survey.Request{Files: &a.files}
	a.StringVar(&r.Folder, "output", "", "`folder` to plan in; its path must be the same on every machine")
	cli.Float(a.FlagSet, &r.Lengths.Tile, "tile", 0, least, 1e7,
		"edge of a tile in metres (default: 4 million points a tile)")
	cli.Float(a.FlagSet, &r.Lengths.Halo, "halo", 0, least, most,
		"what a tile sees around it, in metres (default: what embedding and seam need; exact tiles widen it where they must)")
	cli.Float(a.FlagSet, &r.Lengths.Seam, "seam", 0, least, most,
		"half width of the seam in metres (default: 12 point spacings, 0.2 to 5)")
	a.stageOptions(allGroups(), "truth", "instances", "first_id")
	return func(names []string) error {
		r.Inputs, r.Options = names, a.given()
		return survey.Plan(a.host, r)
	}
}

func surveyRun(a *arguments) func(names []string) error {
	a.namedOptions("threads", "device")
	return a.withSurvey(func(s *survey.Survey, n int) (any, error) {
		if n < 0 {
			return s.All()
		}
		return s.Run(n)
	})
}

func surveyCut(a *arguments) func(names []string) error {
	return a.withSurvey(func(s *survey.Survey, k int) (any, error) {
		if k < 0 {
			return nil, errors.New("name the folder of a plan, and the number of a source")
		}
		return s.Cut(k)
	})
}

func surveyStitch(a *arguments) func(names []string) error {
	a.namedOptions("threads")
	return a.withSurvey(func(s *survey.Survey, n int) (any, error) {
		if n >= 0 {
			return nil, errors.New("name the folder of a plan only")
		}
		return s.Stitch()
	})
}

func surveyJoin(a *arguments) func(names []string) error {
	a.namedOptions("threads", "device")
	return a.withSurvey(func(s *survey.Survey, n int) (any, error) {
		if n >= 0 {
			return nil, errors.New("name the folder of a plan only")
		}
		return s.Join()
	})
}

func surveyEmbed(a *arguments) func(names []string) error {
	a.namedOptions("threads", "device")
	return a.withSurvey(func(s *survey.Survey, n int) (any, error) {
		if n < 0 {
			return s.EmbedAll()
		}
		return s.Embed(n)
	})
}

func surveyRefine(a *arguments) func(names []string) error {
	a.namedOptions("threads", "device")
	return a.withSurvey(func(s *survey.Survey, n int) (any, error) {
		if n < 0 {
			return s.RefineAll()
		}
		return s.Refine(n)
	})
}

func surveyFinish(a *arguments) func(names []string) error {
	return a.withSurvey(func(s *survey.Survey, n int) (any, error) {
		if n < 0 {
			return s.FinishAll()
		}
		return s.Finish(n)
	})
}

// withSurvey does a step of the survey whose folder is named, for the number behind
// it, or for −1, and writes what the step tells as a line of JSON.
func (a *arguments) withSurvey(step func(s *survey.Survey, n int) (any, error)) func(names []string) error {
	return func(names []string) (err error) {
		n := -1
		switch len(names) {
		case 1:
		case 2:
			if n, err = cli.Whole(names[1], 0, math.MaxInt32); err != nil {
				return fmt.Errorf("%q behind the folder: %w", names[1], err)
			}
		default:
			return errors.New("name the folder of a plan")
		}
		if _, err := a.options(nil); err != nil {
			return err
		}
		s, err := survey.Open(a.host, names[0])
		if err != nil {
			return err
		}
		s.Replaced = a.given()
		done, err := step(s, n)
		if err != nil {
			return err
		}
		return json.NewEncoder(a.host.Stdout()).Encode(done)
	}
}
