// SPDX-License-Identifier: BSD-3-Clause

package survey

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"superpoint/filter/host"
	"superpoint/filter/memory"
	"superpoint/filter/message"
	"superpoint/partition/base/parallel"
	"superpoint/pipelines/files/atomicfile"
	"superpoint/pipelines/job"
)

// failures returns the errors of tasks.
func failures(tasks []*task) (all []error) {
	for _, t := range tasks {
		if t.err != nil {
			all = append(all, t.err)
		}
	}
	return all
}

// Do runs a step for source or tile n, unless it is finished.
func (v *Survey) Do(name string, n int) (*Mark, error) {
	s, err := v.step(name)
	if err != nil {
		return nil, err
	}
	t := v.together(s, []int{n})[0]
	return t.mark, t.err
}

// together runs a step for some sources, or for one tile, unless it is finished.
func (v *Survey) together(s *Step, which []int) []*task {
	var all, left []*task
	for _, n := range which {
		t := v.look(s, n)
		all = append(all, t)
		if t.mark == nil && t.err == nil {
			left = append(left, t)
		}
	}
	if len(left) == 0 {
		return all
	}
	err := v.perform(s, left)
	if err != nil && len(left) == 1 {
		left[0].err = err
	}
	if err != nil && len(left) > 1 { // one of them cannot be read, or the disk has no room for all
		for _, t := range left {
			if err := v.perform(s, []*task{t}); err != nil {
				t.err = err
			}
		}
	}
	for _, t := range left {
		if t.err != nil {
			t.err = fmt.Errorf("%s: %w", v.describe(s, t.n), t.err)
		}
	}
	return all
}

// perform runs a step for tasks. Its error says why none of them could be done.
func (v *Survey) perform(s *Step, tasks []*task) error {
	if err := os.MkdirAll(v.Path(s.Name), 0o777); err != nil {
		return err
	}
	start := time.Now()
	work, done, err := atomicfile.Workspace(v.Path(s.Name))
	if err != nil {
		return err
	}
	defer done()
	v = v.in(work)
	if s.batch == nil {
		t := tasks[0]
		m := v.newMark(s, t)
		if err := s.do(v, t.n, m); err != nil {
			return err
		}
		if err := v.tree().Place(); err != nil {
			return err
		}
		return v.finish(t, m, time.Since(start))
	}
	var which []int
	for _, t := range tasks {
		which = append(which, t.n)
	}
	all, err := v.prepare(s.batch, which, work)
	if err != nil {
		return err
	}
	shared := time.Since(start) / time.Duration(len(tasks))
	for i, t := range tasks {
		start := time.Now()
		m := v.newMark(s, t)
		if t.err = all[i].place(v, t.n, m); t.err == nil {
			t.err = v.finish(t, m, shared+time.Since(start))
		}
	}
	return nil
}

// prepare makes the results of sources in a work folder. It fails if their content is not, all the time, that
// of the plan: a slice or result of another content never gets its place.
func (v *Survey) prepare(make batch, which []int, work string) (all []prepared, err error) {
	var paths []string
	for _, k := range which {
		paths = append(paths, v.plan.Sources[k].Path)
	}
	err = job.Pin(work, paths, func(inputs []job.Pinned) error {
		for i, k := range which {
			if inputs[i].Content != v.plan.Sources[k].Content {
				// of many, together asks each again, and names it
				return fmt.Errorf("the file has %w", errChanged)
			}
		}
		folder, err := atomicfile.Within(work, "try-")
		if err == nil {
			all, err = make(v, which, inputs, folder)
		}
		return err
	})
	if errors.Is(err, job.ErrChanged) || errors.Is(err, os.ErrNotExist) &&
		v.unchanged(which, v.content) != nil {
		err = fmt.Errorf("the file has %w", errChanged)
	}
	return all, err
}

// newMark returns the mark of a task that begins.
func (v *Survey) newMark(s *Step, t *task) *Mark {
	return &Mark{Mark: job.Mark{Task: v.task(s, t.n, t.inputs), Files: map[string]int64{}}}
}

// finish writes the mark of a task whose files are at their places.
func (v *Survey) finish(t *task, m *Mark, took time.Duration) error {
	m.Seconds = math.Round(1000*took.Seconds()) / 1000
	m.Memory = memory.Peak()
	if err := v.placeMark(m); err != nil {
		return err
	}
	t.mark = m
	return nil
}

// Each runs a step for all sources or tiles, also if some fail, unless for a reason that all others share.
func (v *Survey) Each(name string) (all []*Mark, err error) {
	s, err := v.step(name)
	if err != nil {
		return nil, err
	}
	if err := v.unchanged(v.all(Sources), v.identity); err != nil && s.Over != Once {
		return nil, err
	}
	tasks, err := v.run(s, v.all(s.Over))
	if err != nil {
		return nil, err
	}
	failed := failures(tasks)
	switch {
	case len(failed) == 0:
		for _, t := range tasks {
			all = append(all, t.mark)
		}
		return all, nil
	case len(tasks) == 1:
		return nil, failed[0]
	}
	return nil, fmt.Errorf(
		"step %s: %d of %d %s failed, the first: %w; fix the cause and rerun; finished work is kept",
		name, len(failed), len(tasks), s.Over, failed[0])
}

// All runs all steps in this process and returns the mark of step number. Tiles are embedded even if sources
// around others cannot be cut.
func (v *Survey) All() (numbered *Mark, err error) {
	if err := v.unchanged(v.all(Sources), v.identity); err != nil {
		return nil, err
	}
	for _, s := range v.steps {
		if s.Name == "cut" {
			if _, err := v.run(&s, v.all(Sources)); err != nil {
				return nil, err
			}
			continue
		}
		all, err := v.Each(s.Name)
		if err != nil {
			return nil, err
		}
		if all[0].Superpoints != nil {
			numbered = all[0]
		}
	}
	return numbered, nil
}

// run runs a step for some sources or tiles. A full disk or too many open files end it, with err.
func (v *Survey) run(s *Step, which []int) (tasks []*task, err error) {
	ctx, stop := context.WithCancelCause(v.host.Context())
	defer stop(nil)
	run, batches := v.schedule(s, which)
	run.Context = ctx
	count := &counter{all: len(which), workers: run.Workers()}
	done := make([][]*task, len(batches))
	err = run.ForEach(len(batches), 1, func(b int) {
		turn := v.turn(s, count, b)
		done[b] = turn.together(s, batches[b])
		v.handleFailures(ctx, stop, done[b], count)
		fraction := count.add(done[b])
		v.host.Progress(v.prefix+s.Name+count.left(), fraction)
	})
	return slices.Concat(done...), cmp.Or(context.Cause(ctx), err)
}

// handleFailures stops the step if a failure of tasks would make all others fail. It logs other failures,
// unless the step is stopped already.
func (v *Survey) handleFailures(ctx context.Context, stop context.CancelCauseFunc, tasks []*task,
	count *counter) {
	for _, err := range failures(tasks) {
		switch {
		case exhausted(v.folder, err) != nil:
			stop(err)
		case ctx.Err() == nil:
			v.logFailure(err, count)
		}
	}
}

// turn returns the survey for one turn of the loop over a step. What a tile reports begins with its number.
func (v *Survey) turn(s *Step, count *counter, number int) *Survey {
	if s.Over != Tiles {
		return v
	}
	return v.withPrefix(fmt.Sprintf("%s %d/%d%s: ", s.Name, number+1, count.all, count.left()))
}

// logFailure logs the error of a task, unless a step within another one runs or enough errors are logged.
func (v *Survey) logFailure(err error, count *counter) {
	isOuter := v.prefix == ""
	if isOuter && count.isLogged() {
		v.host.Log(message.Error, err.Error())
	}
}

// schedule returns the loop over a step, and what each of its turns does together. Steps of sources decode or
// encode files on one thread each; steps of tiles use all threads themselves.
func (v *Survey) schedule(s *Step, which []int) (loop parallel.Run, turns [][]int) {
	if s.Over == Sources {
		return v.parallel(), batches(v.plan, which)
	}
	return parallel.Run{Threads: 1}, slices.Collect(slices.Chunk(which, 1))
}

// counter counts the tasks of a step.
type counter struct {
	all, workers int

	lock     sync.Mutex
	finished int
	logged   int           // errors
	worked   time.Duration // also in former runs
}

// left returns how long the other tasks take, for messages.
func (c *counter) left() string {
	c.lock.Lock()
	defer c.lock.Unlock()
	return host.Left(c.worked/time.Duration(c.workers), int64(c.finished), int64(c.all))
}

// add counts tasks that ended, and returns the fraction of those that did.
func (c *counter) add(tasks []*task) float64 {
	c.lock.Lock()
	defer c.lock.Unlock()
	c.finished += len(tasks)
	for _, t := range tasks {
		if t.mark != nil {
			c.worked += time.Duration(t.mark.Seconds * float64(time.Second))
		}
	}
	return float64(c.finished) / float64(c.all)
}

// isLogged reports whether one more error is logged: the first ones of many tasks are.
func (c *counter) isLogged() bool {
	c.lock.Lock()
	defer c.lock.Unlock()
	c.logged++
	return c.all > 1 && c.logged <= mostNamed
}

// exhausted returns an error with the remedy if the disk of a folder is full, or too many files are open;
// else nil.
func exhausted(folder string, err error) error {
	switch {
	case err == nil:
	case errors.Is(err, syscall.ENOSPC):
		return fmt.Errorf(
			"the disk of %s is full; make room there, or plan in a folder on another disk, and run again: "+
				"finished work is kept (%w)", folder, err)
	case strings.Contains(strings.ToLower(err.Error()), "too many open files"):
		return fmt.Errorf(
			"%w; raise the limit of open files (ulimit -n 4096) and run again, or plan with larger tiles",
			err)
	}
	return nil
}
