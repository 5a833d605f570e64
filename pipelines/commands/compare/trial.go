// SPDX-License-Identifier: BSD-3-Clause

package compare

import (
	"fmt"
	"math"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"

	"superpoint/filter"
	"superpoint/filter/message"
	"superpoint/filter/models"
	"superpoint/filter/option"
	"superpoint/partition/base/parallel"
)

// System is a method with its options.
type System struct {
	Name    string         // in the table and the figure
	Options option.Options // without regularization, target_size and seed_resolution
	// instead of Options: the dimension of segments in the files, for example of filters.supervoxel
	IDs string
}

// readSystems parses the option systems.
func readSystems(text string) (all []System, err error) {
	for name := range strings.SplitSeq(text, ",") {
		s, err := readSystem(strings.TrimSpace(name))
		if err != nil {
			return nil, fmt.Errorf("option systems: %w", err)
		}
		if slices.ContainsFunc(all, func(old System) bool { return old.Name == s.Name }) {
			return nil, fmt.Errorf("option systems: %q is listed twice", s.Name)
		}
		all = append(all, *s)
	}
	return all, nil
}

func readSystem(name string) (*System, error) {
	parts := strings.Split(name, "+")
	method, model, found := strings.Cut(parts[0], ":")
	if method == "id" {
		if model == "" || len(parts) > 1 {
			return nil, fmt.Errorf("%q; give id:DIMENSION, the dimension of segments in the files", name)
		}
		return &System{Name: name, IDs: model}, nil
	}
	options := map[string]string{"method": method}
	if found {
		options["model"] = model
		base := filepath.Base(model)
		parts[0] = method + ":" + strings.TrimSuffix(base, filepath.Ext(base))
	}
	for _, setting := range parts[1:] {
		option, value, found := strings.Cut(setting, "=")
		if !found {
			return nil, fmt.Errorf("%q in %q; give +option=value", setting, name)
		}
		options[option] = value
	}
	o, err := option.OptionsOf(options)
	if err != nil {
		return nil, err
	}
	s := &System{Name: strings.Join(parts, "+"), Options: *o}
	if _, err := filter.New(o, nil); err != nil {
		return nil, fmt.Errorf("%q: %w", s.Name, err)
	}
	return s, nil
}

// options returns the system's options for files of a rule.
func (s *System) options(r *Rule) *option.Options {
	o := s.Options
	if o.Model == models.Auto && r.Model != "" {
		o.Model = r.Model
	}
	return &o
}

// model returns the name of the model for a file of a rule with the given dimensions; "" if it has
// none or cannot run.
func (s *System) model(r *Rule, available []string) string {
	f, err := filter.New(s.options(r), nil)
	if err == nil && s.IDs == "" {
		_, err = f.Describe(available)
	}
	if err != nil || s.IDs != "" {
		return ""
	}
	return modelName(f.Summary())
}

// modelName distinguishes models of the same name.
func modelName(s *filter.Summary) string {
	if s.ModelHash == "" {
		return s.Model
	}
	return s.Model + " " + s.ModelHash
}

// trial is one system at one setting.
type trial struct {
	system *System
	option string // ByPieces, or given: segments in the file
	value  float64
}

func (t trial) setting() string {
	return t.option + "=" + strconv.FormatFloat(t.value, 'g', -1, 64)
}

// trials returns all settings of all systems.
func (c *comparison) trials() []trial {
	var all []trial
	for i := range c.Systems {
		s := &c.Systems[i]
		if s.IDs != "" {
			all = append(all, trial{s, given, 0})
			continue
		}
		for _, v := range c.Targets {
			all = append(all, trial{s, ByPieces, v})
		}
	}
	return all
}

// results returns the results of a trial: one that counts components also has a result of its size.
func (t trial) results(in *Input) []Result {
	r := Result{Set: in.Set, File: in.file(), System: t.system.Name, Option: t.option, Value: t.value}
	if t.option != ByPieces {
		return []Result{r}
	}
	sized := r
	sized.Option = BySize
	return []Result{sized, r}
}

// measure runs one trial. Errors and panics become the error text of its results.
func (c *comparison) measure(l *labelled, in *Input, t trial) []Result {
	all := t.results(in)
	attempts, err := c.segment(l, t, message.Log(c.host.Log).Of(in.Path))
	for i := range all {
		if err != nil {
			all[i].Error = err.Error()
			continue
		}
		a := attempts[i]
		all[i].Counts = a.Counts
		all[i].Seconds = a.summary.Seconds["total"]
		all[i].Model = modelName(a.summary)
	}
	return all
}

// segment returns the segments of a trial: read from the file, or computed, several times if the number
// of components is searched for. It returns an attempt for each result.
func (c *comparison) segment(l *labelled, t trial, log message.Log) (all []*attempt, err error) {
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("internal error: %v", v)
			log(message.Debug, string(debug.Stack()))
		}
	}()
	defer parallel.Catch(&err)
	loudest := message.Warning
	quietly := func(level int, text string) {
		if level <= loudest {
			log(level, text)
		}
	}
	if t.option == given {
		a, err := l.given(c.run, t.system.IDs, "systems")
		return []*attempt{a}, err
	}
	o := *t.system.options(&l.rule)
	o.Threads = c.Threads
	sized, counted, err := searchPieces(t.value, len(l.X), func(target float64) (*attempt, error) {
		o.TargetSize = []float64{target}
		a, err := l.attempt(c.run, &o, quietly)
		loudest = message.Error // nobody has asked for the next sizes
		return a, err
	})
	return []*attempt{sized, counted}, err
}

// Options of a trial, which determine the meaning of its value.
const (
	BySize   = "target_size" // mean points of a superpoint
	ByPieces = "pieces"      // mean points of a connected component of a superpoint
	given    = "given"       // segments of the file
)

// A method is asked for a mean size, and for others until its components are as many
// as wanted, to within closeEnough or mostTries runs.
const (
	closeEnough = 0.02 // of the logarithm of the number of pieces
	mostTries   = 5
)

// miss is the logarithm of a number of segments divided by the number wanted.
func miss(number int64, size float64, points int) float64 {
	return math.Log(float64(number) * size / float64(points))
}

// searchPieces returns the attempt whose superpoints come nearest to size points on average, all counted, and
// the one whose connected components do. try runs the method with a wanted mean size of its superpoints.
func searchPieces(size float64, points int, try func(target float64) (*attempt, error)) (sized, best *attempt,
	err error) {
	nearer := func(best, a *attempt, of func(a *attempt) int64) *attempt {
		if best == nil || math.Abs(miss(of(a), size, points)) < math.Abs(miss(of(best), size, points)) {
			return a
		}
		return best
	}
	asked, slope := math.Log(size), 1.0 // more points a superpoint, fewer pieces: about in proportion
	var was, wasMiss float64
	for i := range mostTries {
		a, err := try(math.Exp(asked))
		if err != nil && best != nil { // a size that cannot be asked for
			break
		}
		if err != nil {
			return nil, nil, err
		}
		sized = nearer(sized, a, func(a *attempt) int64 { return a.Segments })
		best = nearer(best, a, func(a *attempt) int64 { return a.Pieces })
		missed := miss(a.Pieces, size, points)
		if math.Abs(missed) < closeEnough {
			break
		}
		if i > 0 && asked != was { // secant, kept between a third and three times the proportional step
			slope = math.Min(3, math.Max(1./3, -(asked-was)/(missed-wasMiss)))
			if math.IsNaN(slope) || missed == wasMiss {
				slope = 1
			}
		}
		was, wasMiss = asked, missed
		if asked = math.Max(0, asked+slope*missed); asked == was {
			break
		}
	}
	return sized, best, nil
}
