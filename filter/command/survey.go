package command

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"

	"superpoint/embed/cli"
	"superpoint/filter/render"
	"superpoint/filter/survey"
)

const surveyPlanUsage = `--output FOLDER [options] INPUT…

Superpoints of a survey of any size, tile by tile, the same as of one cloud: this
plans tiles for files, folders, a virtual point cloud (.vpc) or EPT (ept.json) and
writes FOLDER/plan.json. The options of the stage are options of the plan, but those
that need all points at once, which are refused. Then

  pdal superpoint survey run FOLDER

does all steps on one machine; on several, each step of a tile is a process of its own.
Planning again removes the results of the former plan.
`

// surveyRunUsage lists the steps.
func surveyRunUsage() string {
	var b strings.Builder
	b.WriteString(`FOLDER [STEP [NUMBER]]

Does all steps of a planned survey that are not done yet, a step, or a step for the
source K, the tile N or the result R of a number. A step needs all before it. FOLDER/out
gets the results: the points of each source in their order, with ids from 1 that are
unique in the survey, and survey.vpc, which opens all of them. A step says what it did as a
line of JSON.

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
	a.StringVar(&r.Folder, "output", "", "`folder` to plan in; its path must be the same on every machine")
	cli.Float(a.FlagSet, &r.Lengths.Tile, "tile", 0, least, 1e7,
		"edge of a tile in metres (default: 4 million points a tile)")
	cli.Float(a.FlagSet, &r.Lengths.Halo, "halo", 0, least, most,
		"what a tile sees around it, in metres; changes the time and not the result (default: by the spacing)")
	a.Func("results", "`sources` or tiles: what each result in FOLDER/out holds (default: sources; tiles where "+
		"sources are COPC or EPT, or share a name)", func(text string) error {
		r.Results = survey.Over(text)
		if r.Results != survey.Sources && r.Results != survey.Tiles {
			return errors.New("it is sources or tiles")
		}
		return nil
	})
	a.BoolVar(&r.COPC, "copc", false, "write results as COPC, which has an order of its own (PDAL 2.4 and newer)")
	a.stageOptions(allGroups(), "truth", "instances", "first_id")
	return func(names []string) error {
		r.Inputs, r.Options = names, a.given()
		return survey.Plan(a.host, r)
	}
}

func surveyRun(a *arguments) func(names []string) error {
	a.namedOptions("threads", "device")
	machine := a.Bool("json", false, "print a line of JSON in place of the summary")
	return func(names []string) error {
		if len(names) < 1 || len(names) > 3 {
			return errors.New("name the folder of a plan")
		}
		n := -1
		if len(names) == 3 {
			var err error
			if n, err = cli.Whole(names[2], 0, math.MaxInt32); err != nil {
				return fmt.Errorf("%q behind the step: %w", names[2], err)
			}
		}
		if _, err := a.options(nil); err != nil {
			return err
		}
		s, err := survey.Open(a.host, names[0])
		if err != nil {
			return err
		}
		s.Replaced = a.given()
		done, err := runSteps(s, names[1:], n)
		if err != nil {
			return err
		}
		if all, ok := done.(*survey.Mark); ok && len(names) == 1 && !*machine {
			_, err := fmt.Fprintf(a.host.Stdout(), "%s: %s points in %d files, %s superpoints, %s of their pieces in several "+
				"tiles; %s opens all\n", s.Path("out"), render.Thousands(int(all.Points)), s.Results(),
				render.Thousands(int(all.Superpoints.Superpoints)), render.Thousands(int(all.Crossing)),
				s.Path("out", survey.Index))
			return err
		}
		return json.NewEncoder(a.host.Stdout()).Encode(done)
	}
}

// runSteps does all steps, those of a name, or one.
func runSteps(s *survey.Survey, step []string, n int) (any, error) {
	switch len(step) {
	case 0:
		return s.All()
	case 1:
		return s.Each(step[0])
	}
	return s.Do(step[0], n)
}
