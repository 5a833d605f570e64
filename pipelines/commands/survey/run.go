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
	"superpoint/pipelines/commands/survey/folder"
	"superpoint/pipelines/files/atomicfile"
	"superpoint/pipelines/job"
)

// runAll runs all steps in this process and returns the mark of step number. Tiles are embedded even if
// sources around others cannot be cut.
func runAll(v *folder.Survey) (numbered *folder.Mark, err error) {
	if err := unchanged(v, v.Numbers(folder.Sources), identity); err != nil {
		return nil, err
	}
	for _, s := range v.Steps {
		if s.Name == "cut" {
			if _, err := runTasks(v, &s, v.Numbers(folder.Sources)); err != nil {
				return nil, err
			}
			continue
		}
		all, err := runStep(v, s.Name)
		if err != nil {
			return nil, err
		}
		if all[0].Superpoints != nil {
			numbered = all[0]
		}
	}
	return numbered, nil
}

// runStep runs a step for all sources or tiles, also if some fail, unless for a reason that all others share.
func runStep(v *folder.Survey, name string) (all []*folder.Mark, err error) {
	s, err := v.Step(name)
	if err != nil {
		return nil, err
	}
	if err := unchanged(v, v.Numbers(folder.Sources), identity); err != nil && s.Over != folder.Once {
		return nil, err
	}
	tasks, err := runTasks(v, s, v.Numbers(s.Over))
	if err != nil {
		return nil, err
	}
	failed := failures(tasks)
	switch {
	case len(failed) == 0:
		for _, t := range tasks {
			all = append(all, t.Mark)
		}
		return all, nil
	case len(tasks) == 1:
		return nil, failed[0]
	}
	return nil, fmt.Errorf(
		"step %s: %d of %d %s failed, the first: %w; fix the cause and rerun; finished work is kept",
		name, len(failed), len(tasks), s.Over, failed[0])
}

// runTask runs a step for source or tile n, unless it is finished.
func runTask(v *folder.Survey, name string, n int) (*folder.Mark, error) {
	s, err := v.Step(name)
	if err != nil {
		return nil, err
	}
	t := runTurn(v, s, []int{n})[0]
	return t.Mark, t.Err
}

// runTasks runs a step for some sources or tiles, turn by turn. A full disk or too many open files end it,
// with err.
func runTasks(v *folder.Survey, s *folder.Step, which []int) (tasks []*folder.Task, err error) {
	ctx, stop := context.WithCancelCause(v.Host.Context())
	defer stop(nil)
	run, turns := schedule(v, s, which)
	run.Context = ctx
	count := &counter{all: len(which), workers: run.Workers()}
	done := make([][]*folder.Task, len(turns))
	err = run.ForEach(len(turns), 1, func(b int) {
		done[b] = runTurn(withTurn(v, s, count, b), s, turns[b])
		handleFailures(ctx, v, stop, done[b], count)
		fraction := count.add(done[b])
		v.Host.Progress(v.Prefix+s.Name+count.left(), fraction)
	})
	return slices.Concat(done...), cmp.Or(context.Cause(ctx), err)
}

// schedule returns the loop over a step, and what each of its turns does together. Steps of sources decode or
// encode files on one thread each; steps of tiles use all threads themselves.
func schedule(v *folder.Survey, s *folder.Step, which []int) (loop parallel.Run, turns [][]int) {
	if s.Over == folder.Sources {
		return v.Parallel(), batches(v.Plan, which)
	}
	return parallel.Run{Threads: 1}, slices.Collect(slices.Chunk(which, 1))
}

// withTurn returns the survey for one turn of the loop over a step. What a tile reports begins with its
// number.
func withTurn(v *folder.Survey, s *folder.Step, count *counter, number int) *folder.Survey {
	if s.Over != folder.Tiles {
		return v
	}
	return v.WithPrefix(fmt.Sprintf("%s %d/%d%s: ", s.Name, number+1, count.all, count.left()))
}

// handleFailures stops the step if a failure of tasks would make all others fail. It logs other failures,
// unless the step is stopped already.
func handleFailures(ctx context.Context, v *folder.Survey, stop context.CancelCauseFunc,
	tasks []*folder.Task, count *counter) {
	for _, err := range failures(tasks) {
		switch {
		case exhausted(v.Folder, err) != nil:
			stop(err)
		case ctx.Err() == nil:
			logFailure(v, err, count)
		}
	}
}

// logFailure logs the error of a task, unless a step within another one runs or enough errors are logged.
func logFailure(v *folder.Survey, err error, count *counter) {
	isOuter := v.Prefix == ""
	if isOuter && count.isLogged() {
		v.Host.Log(message.Error, err.Error())
	}
}

// runTurn runs a step for the sources or the tile of a turn, unless it is finished for them.
func runTurn(v *folder.Survey, s *folder.Step, which []int) []*folder.Task {
	var all, left []*folder.Task
	for _, n := range which {
		t := v.Look(s, n)
		all = append(all, t)
		if t.Mark == nil && t.Err == nil {
			left = append(left, t)
		}
	}
	if len(left) == 0 {
		return all
	}
	err := perform(v, s, left)
	if err != nil && len(left) == 1 {
		left[0].Err = err
	}
	if err != nil && len(left) > 1 { // one of them cannot be read, or the disk has no room for all
		for _, t := range left {
			if err := perform(v, s, []*folder.Task{t}); err != nil {
				t.Err = err
			}
		}
	}
	for _, t := range left {
		if t.Err != nil {
			t.Err = fmt.Errorf("%s: %w", v.Describe(s, t.Number), t.Err)
		}
	}
	return all
}

// perform runs a step for tasks in a work folder, and gives their files and marks their places. Its error
// says why none of them could be done.
func perform(v *folder.Survey, s *folder.Step, tasks []*folder.Task) error {
	if err := os.MkdirAll(v.Path(s.Name), 0o777); err != nil {
		return err
	}
	start := time.Now()
	work, done, err := atomicfile.Workspace(v.Path(s.Name))
	if err != nil {
		return err
	}
	defer done()
	v = v.In(work)
	if s.Batch == nil {
		t := tasks[0]
		m := v.NewMark(s, t)
		if err := s.Do(v, t.Number, m); err != nil {
			return err
		}
		if err := v.Tree().Place(); err != nil {
			return err
		}
		return finish(v, t, m, time.Since(start))
	}
	var which []int
	for _, t := range tasks {
		which = append(which, t.Number)
	}
	all, err := prepare(v, s.Batch, which, work)
	if err != nil {
		return err
	}
	shared := time.Since(start) / time.Duration(len(tasks))
	for i, t := range tasks {
		start := time.Now()
		m := v.NewMark(s, t)
		if t.Err = all[i].Place(v, t.Number, m); t.Err == nil {
			t.Err = finish(v, t, m, shared+time.Since(start))
		}
	}
	return nil
}

// prepare makes the results of sources in a work folder. It fails if their content is not, all the time, that
// of the plan: a slice or result of another content never gets its place.
func prepare(v *folder.Survey, batch folder.Batch, which []int, work string) (all []folder.Prepared,
	err error) {
	var paths []string
	for _, k := range which {
		paths = append(paths, v.Plan.Sources[k].Path)
	}
	err = job.Pin(work, paths, func(inputs []job.Pinned) error {
		for i, k := range which {
			if inputs[i].Content != v.Plan.Sources[k].Content {
				// of many, runTurn asks each again, and names it
				return fmt.Errorf("the file has %w", errChanged)
			}
		}
		try, err := atomicfile.Within(work, "try-")
		if err == nil {
			all, err = batch(v, which, inputs, try)
		}
		return err
	})
	if errors.Is(err, job.ErrChanged) || errors.Is(err, os.ErrNotExist) &&
		unchanged(v, which, content) != nil {
		err = fmt.Errorf("the file has %w", errChanged)
	}
	return all, err
}

// finish writes the mark of a task whose files are at their places.
func finish(v *folder.Survey, t *folder.Task, m *folder.Mark, took time.Duration) error {
	m.Seconds = math.Round(1000*took.Seconds()) / 1000
	m.Memory = memory.Peak()
	if err := v.PlaceMark(m); err != nil {
		return err
	}
	t.Mark = m
	return nil
}

// failures returns the errors of tasks.
func failures(tasks []*folder.Task) (all []error) {
	for _, t := range tasks {
		if t.Err != nil {
			all = append(all, t.Err)
		}
	}
	return all
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
func (c *counter) add(tasks []*folder.Task) float64 {
	c.lock.Lock()
	defer c.lock.Unlock()
	c.finished += len(tasks)
	for _, t := range tasks {
		if t.Mark != nil {
			c.worked += time.Duration(t.Mark.Seconds * float64(time.Second))
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
