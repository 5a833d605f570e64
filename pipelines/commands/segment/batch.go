// SPDX-License-Identifier: BSD-3-Clause

package segment

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"superpoint/filter"
	"superpoint/filter/device"
	"superpoint/filter/host"
	"superpoint/filter/memory"
	"superpoint/filter/message"
	"superpoint/filter/option"
	"superpoint/partition/base/parallel"
	"superpoint/pipelines/commands/command"
	"superpoint/pipelines/files/atomicfile"
	"superpoint/pipelines/files/pdalprocess"
	"superpoint/pipelines/files/sources"
	"superpoint/pipelines/job"
)

// Request has the options of a batch.
type Request struct {
	Options            map[string]string // of the stage, by name
	command.References                   // of the host, as part of the record of a result
	Where              string            // expression of PDAL that selects points; "" = all
	Area               string            // vector file with polygons that select points; "" = all
	COPC               bool              // outputs in a folder are COPC
	JSON               bool              // report files as lines of JSON
	Strict             bool              // the first file that fails ends the batch
	ClassesOnly        bool              // superpoints that inputs have are not computed again, see known
	Files              *atomicfile.Files // that the program reads and writes
	Columns            *Columns          // gets the columns of results; may be nil

	// Say writes a line about a file, see command.Arguments.
	Say func(format string, values ...any) error
}

// Run segments inputs (files, folders, patterns) to the file or folder out. It returns the outputs, kept ones
// included.
func Run(h host.Host, inputs []string, out string, r Request) (outputs []string, err error) {
	s := &segmenter{Request: r, host: h, software: filter.Software()}
	if err := s.check(); err != nil {
		return nil, err
	}
	files, err := sources.Files(inputs, func(text string) { h.Log(message.Warning, text) })
	if err != nil {
		return nil, err
	}
	tasks, folder, err := assign(files, out, r.COPC)
	if err != nil {
		return nil, err
	}
	if r.COPC {
		if err := pdalprocess.CheckCOPC(h.Context()); err != nil {
			return nil, err
		}
	}
	for k := range tasks {
		s.Files.Input(tasks[k].input)
	}
	work := filepath.Dir(out)
	if folder {
		release, err := s.Files.Folder(out)
		if err != nil {
			return nil, err
		}
		defer release()
		work = out
	}
	done, err := s.pin(work)
	if err != nil {
		return nil, err
	}
	defer done()
	if err := s.prepare(tasks, folder && !r.Files.Force); err != nil {
		return nil, err
	}
	return s.all(tasks)
}

// check checks the options before any file is read.
func (s *segmenter) check() error {
	options, err := option.OptionsOf(s.Options)
	if err != nil {
		return err
	}
	if _, err := filter.New(options, func(int, string) {}); err != nil {
		return err
	}
	if s.Area == "" {
		return nil
	}
	if _, err := os.Stat(s.Area); err != nil {
		return fmt.Errorf("option area: %s: %w", s.Area, errors.Unwrap(err))
	}
	return nil
}

// pin copies the files that options name, and makes the options name the copies.
func (s *segmenter) pin(folder string) (done func(), err error) {
	more := map[string]string{}
	if s.Area != "" {
		more["area"] = s.Area
	}
	options, done, err := job.PinOptions(folder, s.Options, more)
	if err != nil {
		return done, err
	}
	s.pinned = *options
	s.Options, s.content = options.Reading, options.Content
	if s.Area != "" {
		if s.area, err = openArea(s.host, options.Files["area"]); err != nil {
			done()
		}
	}
	return done, err
}

// prepare checks the outputs before any work. With resume, existing results of the same input and options are
// kept.
func (s *segmenter) prepare(tasks []task, resume bool) (err error) {
	for k := range tasks {
		t := &tasks[k]
		if t.to, err = s.Files.Output(t.output); err != nil {
			return err
		}
		if t.record, err = s.recordOf(t.input); err != nil {
			return err
		}
		if resume {
			t.kept = t.done()
		}
	}
	return nil
}

// all runs all tasks, also if some fail, and returns their outputs. Several run at once, in different
// processes: PDAL decodes and encodes LAZ on one thread. Small ones that run after one another share a
// process.
func (s *segmenter) all(tasks []task) (outputs []string, err error) {
	b := newBatch(s, tasks)
	ctx, stop := context.WithCancel(s.host.Context())
	defer stop()
	run := parallel.Run{Context: ctx, Threads: s.atOnce(tasks)}
	companions := make([]pdalprocess.Companion, run.Workers())
	hasSeveral := len(tasks) > 1
	err = run.ForWorker(len(tasks), 1, func(worker, k, _ int) {
		if hasSeveral && tasks[k].small() {
			tasks[k].companion = &companions[worker]
		}
		done := b.run(ctx, k)
		if b.finish(k, done) != nil {
			stop()
		}
	})
	for k := range companions {
		companions[k].Close()
	}
	err = cmp.Or(s.host.Context().Err(), b.err, err)
	if hasSeveral && errors.Is(err, syscall.ENOSPC) {
		return nil, b.diskFull()
	}
	if err != nil {
		return nil, err
	}
	return b.outputs, b.summarise()
}

// diskFull returns the error about a disk without room for the next output.
func (b *batch) diskFull() error {
	count := message.Count(len(b.tasks), "file")
	return fmt.Errorf("the disk is full after %d of %s; make room, or name another folder, and run again: "+
		"finished outputs are kept", b.finished(), count)
}

// Memory of a task: of the program, and for each point of PDAL's table and the stage with classes, at its
// peak.
const (
	programBytes = 100 << 20
	pointBytes   = 800
)

// atOnce returns how many tasks run at once, and shares the threads among them: at most as many as threads,
// and as half of the free memory holds of the largest. On a named GPU, whose memory they would share, tasks
// run one by one.
func (s *segmenter) atOnce(tasks []task) int {
	threads, _ := strconv.Atoi(s.Options["threads"])
	threads = parallel.Run{Threads: threads}.Workers()
	var left int
	var largest int64 // points
	for _, t := range tasks {
		if t.kept == "" {
			left++
		}
	}
	if left < 2 || threads < 2 || strings.HasPrefix(s.Options["device"], device.CUDA) {
		return 1
	}
	for _, t := range tasks {
		points, err := sources.Inspect(t.input)
		if points == sources.Unknown && err == nil {
			return 1
		}
		largest = max(largest, points) // 0 of those that will fail
	}
	n := min(threads, left, max(1, memory.Processes(programBytes+pointBytes*float64(largest))))
	s.threads = threads / n
	return n
}

// batch reports on tasks in their order, whichever ends first.
type batch struct {
	*segmenter
	tasks []task
	began time.Time
	bytes int64 // of the inputs

	disk sync.RWMutex // held for reading by tasks that run at once, for writing by one that runs alone

	sync.Mutex
	done      []*segmented
	next      int   // first task that is not reported
	doneBytes int64 // of the inputs
	failed    Failed
	kept      int
	selected  int64 // points
	outputs   []string
	err       error // ends the batch
}

// newBatch returns a batch of tasks of which none has ended.
func newBatch(s *segmenter, tasks []task) *batch {
	b := &batch{segmenter: s, tasks: tasks, done: make([]*segmented, len(tasks)), began: time.Now()}
	for _, t := range tasks {
		b.bytes += t.bytes()
	}
	return b
}

// run runs a task, unless its result is kept. If the disk has no room for the temporary files of several,
// those that failed run again one by one.
func (b *batch) run(ctx context.Context, k int) *segmented {
	t := b.tasks[k]
	if t.kept != "" {
		return &segmented{Input: t.input, Output: t.kept, Kept: true}
	}
	done := b.runBesideOthers(k)
	isShared := b.threads > 0
	if !isShared || !errors.Is(done.err, syscall.ENOSPC) {
		return done
	}
	b.disk.Lock()
	defer b.disk.Unlock()
	if err := ctx.Err(); err != nil {
		done.err = err
		return done
	}
	return b.runWithProgress(k)
}

// runBesideOthers runs a task while no other one runs alone.
func (b *batch) runBesideOthers(k int) *segmented {
	b.disk.RLock()
	defer b.disk.RUnlock()
	return b.runWithProgress(k)
}

// runWithProgress runs a task, and shows its progress while it is the first that has not ended.
func (b *batch) runWithProgress(k int) *segmented {
	show := func(step string, fraction float64) {
		if label, isShown := b.label(k); isShown {
			b.host.Progress(label+step, fraction)
		}
	}
	show("reading", 0)
	return b.file(b.tasks[k], show)
}

// finished returns how many tasks have a result.
func (b *batch) finished() (n int) {
	for _, done := range b.done {
		if done != nil && done.err == nil {
			n++
		}
	}
	return n
}

// label is in front of the progress of a task: which of how many it is, and how long the rest takes. Of those
// that run at once, the first is shown.
func (b *batch) label(k int) (text string, shown bool) {
	if len(b.tasks) == 1 {
		return "", true
	}
	b.Lock()
	defer b.Unlock()
	left := host.Left(time.Since(b.began), b.doneBytes, b.bytes)
	return fmt.Sprintf("%d/%d %s%s: ", k+1, len(b.tasks), filepath.Base(b.tasks[k].input), left), k == b.next
}

// finish reports on a task that ended, and on those after it that ended before. Its error ends the batch.
func (b *batch) finish(k int, done *segmented) error {
	b.Lock()
	defer b.Unlock()
	b.doneBytes += b.tasks[k].bytes()
	b.done[k] = done
	for b.err == nil && b.next < len(b.done) {
		next := b.done[b.next]
		if next == nil {
			break
		}
		b.err = b.report(next)
		b.next++
	}
	return b.err
}

// report reports on a task, and returns an error that ends the batch.
func (b *batch) report(done *segmented) error {
	if err := b.host.Context().Err(); err != nil {
		return err
	}
	err := done.err
	ends := b.Strict || len(b.tasks) == 1 && !b.JSON
	if err != nil && ends {
		return message.File(done.Input, err)
	}
	if err != nil {
		b.failed.Inputs = append(b.failed.Inputs, done.Input)
		b.failed.Errors = append(b.failed.Errors, err)
		b.host.Log(message.Error, message.File(done.Input, err).Error())
		done = &segmented{Input: done.Input, Error: err.Error()}
	}
	if err := b.segmenter.report(done); err != nil {
		return err
	}
	switch {
	case errors.Is(err, syscall.ENOSPC):
		return err
	case err != nil:
		return nil
	case done.Kept:
		b.kept++
	}
	b.outputs = append(b.outputs, done.Output)
	b.selected += done.Points
	return nil
}

// summarise says what all tasks led to.
func (b *batch) summarise() error {
	if b.selects() && b.selected == 0 && b.kept+len(b.failed.Inputs) == 0 {
		where := ""
		if b.area != nil {
			where = b.area.where(b.Area)
		}
		b.host.Log(message.Warning,
			"no points are processed: `where` or the polygons of `area` select none"+where)
	}
	if b.kept > 0 {
		b.host.Log(message.Info,
			fmt.Sprintf("%d of %s of the same inputs and options kept; --force computes "+
				"them again", b.kept, message.Count(len(b.tasks), "output")))
	}
	if len(b.failed.Inputs) == 0 {
		return nil
	}
	b.failed.all = len(b.tasks)
	return &b.failed
}
