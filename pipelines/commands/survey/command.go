// SPDX-License-Identifier: BSD-3-Clause

package survey

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"superpoint/filter/host"
	"superpoint/filter/message"
	"superpoint/filter/option"
	"superpoint/pipelines/commands/command"
	"superpoint/pipelines/commands/survey/folder"
)

const surveyPlanUsage = `--output FOLDER [options] INPUT…

Plans the tiles of LAS files, folders or a virtual point cloud (.vpc) and writes
FOLDER/plan.json. The superpoints are the same as if all points were segmented at once. The
options of the stage are options of the plan, except those that need all points at once. Then

  pdal superpoint survey run FOLDER

runs all steps on one machine; on several machines, each step of a tile can be a process.
A folder has one plan: to plan again, remove the folder or name another one. For a planned survey

  pdal superpoint survey plan --output FOLDER --json

lists the processes, for schedulers, and --slurm prints a script that submits them.
`

// surveyRunUsage lists the steps.
func surveyRunUsage() string {
	var b strings.Builder
	b.WriteString(`FOLDER [STEP [NUMBER]]

Runs all unfinished steps of a planned survey, one step, or one step for source K or tile N.
A step needs all steps before it. FOLDER/out has the results: the points of each source in
their order, with ids from 1 that are unique in the survey. A step prints a line of JSON
about its result.

`)
	for _, s := range Steps() {
		names := map[folder.Over]string{
			folder.Sources: s.Name + " K",
			folder.Tiles:   s.Name + " N",
			folder.Once:    s.Name,
		}
		fmt.Fprintf(&b, "  %-10s %s\n", names[s.Over], s.Help)
	}
	return b.String()
}

// PlanCommand is the command survey plan.
func PlanCommand() command.Command {
	return command.Command{Name: "survey plan", Line: "plan the tiles of a survey of any size",
		Usage: surveyPlanUsage, Define: planCommand, Bytes: command.ByFilter}
}

func planCommand(a *command.Arguments) func(names []string) error {
	r := Request{Files: &a.Files, Say: a.Say}
	a.StringVar(&r.Folder, "output", "", "`folder` of the plan; its path must be the same on all machines")
	a.FloatOption(&r.Lengths.Tile, "tile", 0, command.MinLength, 1e7,
		"side of a tile in metres (default: 4 million points per tile)")
	a.LengthOption(&r.Lengths.Halo, "halo", 0,
		"width of the halo in metres; affects time, not results (default: from the spacing)")
	asJSON := a.Bool("json", false,
		"list the processes of a planned survey as JSON, with their inputs and memory")
	asSLURM := a.Bool("slurm", false, "print a bash script that submits a planned survey to SLURM")
	a.StageOptions(command.AllGroups(), "first_id")
	return func(names []string) error {
		r.Inputs = names
		r.Options = a.Given()
		r.References = a.References
		if *asJSON || *asSLURM {
			return r.list(a.Host, *asJSON, *asSLURM)
		}
		return Plan(a.Host, r)
	}
}

// RunCommand is the command survey run.
func RunCommand() command.Command {
	return command.Command{Name: "survey run", Line: "run all unfinished steps of a survey, or one step",
		Usage: surveyRunUsage(), Define: runCommand, Bytes: command.ByFilter}
}

func runCommand(a *command.Arguments) func(names []string) error {
	a.AddStage(func(s *option.Spec) bool { return slices.Contains([]string{"threads", "device"}, s.Name) })
	return func(names []string) error {
		n, err := numberOf(names)
		if err != nil {
			return err
		}
		if _, err := a.Options(nil); err != nil {
			return err
		}
		if a.References != (command.References{}) {
			return errors.New(
				"a plan has its spatial reference; give default_srs and override_srs to survey plan")
		}
		release, err := folder.Lock(names[0], len(names) > 1)
		if err != nil {
			return err
		}
		defer release()
		s, err := folder.Open(a.Host, names[0], Steps())
		if err != nil {
			return err
		}
		defer s.Close()
		all := len(names) == 1
		if all {
			if err := s.Clean(); err != nil {
				return err
			}
		}
		s.Overrides = a.Given()
		done, err := runSteps(s, names[1:], n)
		if err != nil {
			return cmp.Or(exhausted(names[0], err), err)
		}
		if mark, ok := done.(*folder.Mark); ok && all {
			return reportResults(s, a, mark)
		}
		return json.NewEncoder(a.Host.Stdout()).Encode(done)
	}
}

// numberOf returns the number of the source or tile that is named after a folder and a step; −1 for all.
func numberOf(names []string) (int, error) {
	if len(names) < 1 || len(names) > 3 {
		return 0, errors.New("name the folder of a plan")
	}
	if len(names) < 3 {
		return -1, nil
	}
	n, err := command.Whole(names[2], 0, math.MaxInt32)
	if err != nil {
		return 0, fmt.Errorf("%q after the step: %w", names[2], err)
	}
	return n, nil
}

// reportResults prints what a survey has after all of its steps.
func reportResults(v *folder.Survey, a *command.Arguments, numbered *folder.Mark) error {
	return a.Say("%s: %s in %s, %s, %s of those in several tiles", v.Path("out"),
		message.Count(v.Plan.Points, "point"), message.Count(len(v.Plan.Results), "file"),
		message.Count(numbered.Superpoints.Superpoints, "superpoint"),
		message.Count(numbered.Crossing, "part"))
}

// runSteps runs all steps, all of one name, or one.
func runSteps(s *folder.Survey, step []string, n int) (any, error) {
	switch len(step) {
	case 0:
		return runAll(s)
	case 1:
		return runStep(s, step[0])
	}
	return runTask(s, step[0], n)
}

// list writes the units of a planned survey as JSON, or a script for SLURM.
func (r *Request) list(h host.Host, asJSON, asSLURM bool) error {
	if asJSON && asSLURM {
		return errors.New("options json and slurm: give one of both")
	}
	if len(r.Inputs) > 0 || len(r.Options) > 0 {
		return errors.New(
			"options json and slurm need a planned survey; plan first, and then give --output only")
	}
	if r.Folder == "" {
		return errors.New("name the folder of the plan with --output")
	}
	l, err := List(h, r.Folder)
	if err != nil {
		return err
	}
	if asJSON {
		return l.WriteJSON(h.Stdout())
	}
	return l.WriteSLURM(h.Stdout())
}
