// SPDX-License-Identifier: BSD-3-Clause

package command

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"superpoint/filter/message"
	"superpoint/testdata/must"
)

// logging is a host with a log.
type logging struct {
	known
	warnings, details []string
}

func (l *logging) Log(level int, text string) {
	if level == message.Warning {
		l.warnings = append(l.warnings, text)
	} else {
		l.details = append(l.details, text)
	}
}

func (l *logging) Context() context.Context { return context.Background() }

// warning returns a command that logs warnings.
func warning(all []string) *Command {
	return &Command{Name: "x", Usage: "FILE\n\nText.", Define: func(a *Arguments) func([]string) error {
		return func([]string) error {
			for _, text := range all {
				a.Host.Log(message.Warning, text)
			}
			return nil
		}
	}}
}

// TestWarningsOfManyFiles: a warning of many files is logged with the first and counted for the others, also
// if it has numbers that differ; those of one file, and of none, are logged.
func TestWarningsOfManyFiles(t *testing.T) {
	var hundred, counted []string
	for i := range 100 {
		hundred = append(hundred, fmt.Sprintf("%d.laz: odd", i))
		counted = append(counted, fmt.Sprintf("%d.laz: %d points are odd", i, 1000*i))
	}
	for name, c := range map[string]struct{ logged, want []string }{
		"one file":         {[]string{"a.laz: odd"}, []string{"a.laz: odd"}},
		"twice":            {[]string{"a.laz: odd", "a.laz: odd"}, []string{"a.laz: odd"}},
		"two of one file":  {[]string{"a.laz: odd", "a.laz: even"}, []string{"a.laz: odd", "a.laz: even"}},
		"two lines of one": {[]string{"a.csv: line 1", "a.csv: line 2"}, []string{"a.csv: line 1", "a.csv: line 2"}},
		"no file":          {[]string{"2 odd: a", "3 odd: a"}, []string{"2 odd: a", "3 odd: a"}},
		"an option":        {[]string{"option a: odd", "option b: odd"}, []string{"option a: odd", "option b: odd"}},
		"two files":        {[]string{"a.laz: odd", "b.laz: odd"}, []string{"a.laz: odd", "the same in 1 further file (b.laz): odd"}},
		"two kinds": {[]string{"a.laz: odd", "b.laz: even", "b.laz: odd"},
			[]string{"a.laz: odd", "b.laz: even", "the same in 1 further file (b.laz): odd"}},
		"systems of a comparison": {[]string{"a.laz, ssp k=2: odd", "a.laz, vccs k=2: odd", "b.laz, ssp k=2: odd", "b.laz, vccs k=2: odd"},
			[]string{"a.laz, ssp k=2: odd", "a.laz, vccs k=2: odd", "the same in 1 further file (b.laz): odd"}},
		"a hundred": {hundred,
			[]string{"0.laz: odd", "the same in 99 further files (1.laz, 2.laz, 3.laz, …): odd"}},
		"a hundred with counts": {counted, []string{"0.laz: 0 points are odd",
			"the same in 99 further files (1.laz, 2.laz, 3.laz, …): 0 points are odd"}},
	} {
		l := &logging{}
		must.OK(t, warning(c.logged).Run(l, nil))
		must.Hold(t, slices.Equal(l.warnings, c.want), "%s: got %q, want %q", name, l.warnings, c.want)
	}
}

// TestRepeatedWarningsOfLevelDebug: the warnings that are only counted are messages of level debug.
func TestRepeatedWarningsOfLevelDebug(t *testing.T) {
	l := &logging{}
	must.OK(t, warning([]string{"a.laz: odd", "b.laz: odd", "c.laz: odd"}).Run(l, nil))
	must.Hold(t, slices.Equal(l.details, []string{"b.laz: odd", "c.laz: odd"}), "got %q", l.details)
}
