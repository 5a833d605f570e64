package command

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"superpoint/embed/cli"
	"superpoint/filter"
	"superpoint/filter/message"
	"superpoint/pipelines/commands/survey"
)

const surveyPlanUsage = `--output FOLDER [options] INPUT…

Plans the tiles of files, folders, a virtual point cloud (.vpc) or EPT (ept.json) and
writes FOLDER/plan.json. The superpoints of a survey equal those of one cloud of all its
points. The options of the stage are options of the plan, except those that need all
points at once. Then

  pdal superpoint survey run FOLDER

runs all steps on one machine; on several machines, each step of a tile can be a process.
Planning again removes the results of the previous plan.
`

// surveyRunUsage lists the steps.
func surveyRunUsage() string {
	var b strings.Builder
	b.WriteString(`FOLDER [STEP [NUMBER]]

Runs all unfinished steps of a planned survey, one step, or one step for source K, tile N
or result R. A step needs all steps before it. FOLDER/out has the results: the points of
each source in their order, with ids from 1 that are unique in the survey, and survey.vpc,
a virtual point cloud of all results. A step prints a line of JSON about its result.

`)
	for _, s := range survey.Steps() {
		names := map[survey.Over]string{survey.Sources: s.Name + " K", survey.Tiles: s.Name + " N",
			survey.Results: s.Name + " R", survey.Once: s.Name}
		fmt.Fprintf(&b, "  %-10s %s\n", names[s.Over], s.Help)
	}
	return b.String()
}

func surveyPlan(a *arguments) func(names []string) error {
	r := survey.Request{Files: &a.files}
	a.StringVar(&r.Folder, "output", "", "`folder` of the plan; its path must be the same on all machines")
	cli.Float(a.FlagSet, &r.Lengths.Tile, "tile", 0, minLength, 1e7,
		"side of a tile in metres (default: 4 million points per tile)")
	cli.Float(a.FlagSet, &r.Lengths.Halo, "halo", 0, minLength, maxLength,
		"width of the halo in metres; affects time, not results (default: from the spacing)")
	a.Func("results", "one result per `sources` or tiles (default: sources; tiles if sources are COPC or EPT, or "+
		"share a name)", func(text string) error {
		r.Results = survey.Over(text)
		if r.Results != survey.Sources && r.Results != survey.Tiles {
			return errors.New("use sources or tiles")
		}
		return nil
	})
	a.BoolVar(&r.COPC, "copc", false, "write results as COPC, in the point order of COPC (PDAL 2.4 and newer)")
	a.stageOptions(allGroups(), "truth", "instances", "first_id")
	return func(names []string) error {
		var err error
		if r.Inputs, err = a.clouds(names); err != nil {
			return err
		}
		r.Options = a.given()
		if err := survey.Plan(a.host, r); err != nil {
			return err
		}
		if all, err := readHeaders(a.host, r.Inputs, "", ""); err == nil {
			warnOfOverlaps(a.host, all)
		}
		return nil
	}
}

func surveyRun(a *arguments) func(names []string) error {
	a.addStage(func(s *filter.Spec) bool { return slices.Contains([]string{"threads", "device"}, s.Name) })
	machine := a.Bool("json", false, "print a line of JSON instead of the summary")
	return func(names []string) error {
		if len(names) < 1 || len(names) > 3 {
			return errors.New("name the folder of a plan")
		}
		n := -1
		if len(names) == 3 {
			var err error
			if n, err = cli.Whole(names[2], 0, math.MaxInt32); err != nil {
				return fmt.Errorf("%q after the step: %w", names[2], err)
			}
		}
		if _, err := a.options(nil); err != nil {
			return err
		}
		release, err := survey.Lock(names[0], len(names) > 1)
		if err != nil {
			return err
		}
		defer release()
		s, err := survey.Open(a.host, names[0])
		if err != nil {
			return err
		}
		s.Overrides = a.given()
		done, err := runSteps(s, names[1:], n)
		if err != nil {
			return err
		}
		if all, ok := done.(*survey.Mark); ok && len(names) == 1 && !*machine {
			_, err := fmt.Fprintf(a.host.Stdout(), "%s: %s in %s, %s, %s of those in several tiles; open all with %s\n",
				s.Path("out"), message.Count(all.Points, "point"), message.Count(s.Results(), "file"),
				message.Count(all.Superpoints.Superpoints, "superpoint"), message.Count(all.Crossing, "part"),
				s.Path("out", survey.Index))
			return err
		}
		return json.NewEncoder(a.host.Stdout()).Encode(done)
	}
}

// runSteps runs all steps, all of one name, or one.
func runSteps(s *survey.Survey, step []string, n int) (any, error) {
	switch len(step) {
	case 0:
		return s.All()
	case 1:
		return s.Each(step[0])
	}
	return s.Do(step[0], n)
}
