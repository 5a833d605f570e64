// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"superpoint/filter"
	"superpoint/partition/base/parallel"
	"superpoint/pipelines/commands/command"
	"superpoint/testdata/must"
)

func TestCallbacksRunOnTheCallersGoroutineInOrder(t *testing.T) {
	var texts []string // without a lock: the race detector reports any other goroutine
	host := callbacks{log: func(_ int, text string) { texts = append(texts, text) }}
	err := run(t.Context(), host, func(p *pump) error {
		for i := range 100 {
			p.Log(2, fmt.Sprint(i))
		}
		return errors.New("the end")
	})
	must.Equal(t, fmt.Sprint(err), "the end", "error")
	for i := range 100 {
		must.Need(t, len(texts) == 100, "%d messages: %v", len(texts), texts)
		must.Equal(t, texts[i], fmt.Sprint(i), "message %d", i)
	}
}

func TestPanicsBecomeErrors(t *testing.T) {
	must.Fail(run(t.Context(), callbacks{}, func(*pump) error { panic("a broken invariant") }))(t,
		"internal error: a broken invariant")
	must.Fail(recovered(func() error { return []error{}[1] }))(t) // a panic on the goroutine of the host
	err := recovered(func() error {
		parallel.Check(context.Canceled) // as a loop does that is cancelled
		return nil
	})
	must.Hold(t, errors.Is(err, context.Canceled), "a cancelled loop: %v", err)
}

func TestReadReturnsPointsOrFails(t *testing.T) {
	host := callbacks{read: func(path string, dimensions []string) (*command.Columns, error) {
		if path == "panic" {
			panic("in the host")
		}
		return &command.Columns{Available: dimensions}, nil
	}}
	err := run(t.Context(), host, func(p *pump) error {
		c, err := p.Read("a.laz", []string{"Red"})
		must.OK(t, err)
		must.Equal(t, c.Available, []string{"Red"}, "dimensions")
		_, err = p.Read("panic", nil)
		return err
	})
	must.Fail(err)(t, "in the host")
	err = run(t.Context(), callbacks{}, func(p *pump) error {
		_, err := p.Read("a.laz", nil)
		return err
	})
	must.Fail(err)(t, "a.laz")
}

func TestInterruptedCallsSaySo(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	terminated, end := context.WithCancelCause(t.Context())
	end(errTerminated)
	inside, stop := context.WithCancel(terminated)
	defer stop()
	for _, c := range []struct {
		ctx  context.Context
		err  error
		want string
	}{
		{inside, context.Canceled, "terminated"},
		{inside, fmt.Errorf("survey run: %w", context.Cause(inside)), "terminated"},
		{ctx, fmt.Errorf("segment: a.laz: %w", context.Canceled), "interrupted"},
		{ctx, errors.New("the disk is full"), "the disk is full"},
		{t.Context(), context.Canceled, "context canceled"}, // of an inner context, not of the call
	} {
		err := run(c.ctx, callbacks{}, func(*pump) error { return c.err })
		must.Equal(t, fmt.Sprint(err), c.want, "what %v becomes", c.err)
	}
}

// TestWithVersion: --version of pdal is the command version, whatever else its arguments are.
func TestWithVersion(t *testing.T) {
	version, segment := []string{"version"}, []string{"segment", "a.laz"}
	for _, c := range []struct {
		name                string
		args, process, want []string
	}{
		{"alone", nil, []string{"/usr/bin/pdal", "superpoint", "--version"}, version},
		{"of a command", segment, []string{"pdal", "superpoint", "segment", "--version", "a.laz"}, version},
		{"not asked", segment, []string{"pdal", "superpoint", "segment", "a.laz"}, segment},
		{"a file of this name", segment, []string{"pdal", "superpoint", "segment", "--", "--version"},
			segment},
		{"another program", segment, []string{"python", "script.py", "--version"}, segment},
		{"a program without arguments", segment, nil, segment},
	} {
		got := withVersion(c.args, c.process)
		must.Equal(t, got, c.want, "arguments with --version %s", c.name)
	}
}

func TestProgressFromManyGoroutines(t *testing.T) {
	last := -1.0
	host := callbacks{progress: func(step string, fraction float64) {
		must.Equal(t, step, "graph", "step")
		must.Hold(t, fraction >= 0, "fraction %v is below 0", fraction)
		must.Hold(t, fraction <= 1, "fraction %v is above 1", fraction)
		last = fraction
	}}
	err := run(t.Context(), host, func(p *pump) error {
		var group sync.WaitGroup
		for range 4 {
			group.Go(func() {
				for i := range 1000 {
					p.Progress("graph", float64(i)/2000)
				}
			})
		}
		group.Wait()
		p.Progress("graph", 7)
		return nil
	})
	must.OK(t, err)
	must.Equal(t, last, 1, "last fraction")
}

func TestHandles(t *testing.T) {
	closed := func() *session { return &session{filter: new(filter.Filter)} }
	a, b := register(closed()), register(closed())
	must.Hold(t, a != 0, "a handle is 0")
	must.Hold(t, a != b, "two handles are %d", a)
	release(a)
	release(a)
	must.Fail(lookup(a))(t, "not open")
	must.Get(lookup(b))(t)
	release(b)
}

func TestOpenSessionRefusesBadOptions(t *testing.T) {
	for options, word := range map[string]string{
		"knn=x": "knn", "[1]": "NAME=VALUE", "nothing=1": "nothing", "\x00": "NAME=VALUE", "=": "unknown " +
			"option",
	} {
		must.Fail(openSession([]string{options}, callbacks{}))(t, word)
	}
}

func TestLongErrorsAreShortened(t *testing.T) {
	for _, char := range []string{"x", "λ", "\xff"} {
		value := strings.Repeat(char, 1<<20)
		text := shortenError("option model: " + value + "; give a path")
		must.Hold(t, len(text) <= maxErrorBytes+100, "the error has %d bytes", len(text))
		must.Hold(t, strings.HasPrefix(text, "option model: "), "the error begins with %.60q", text)
		must.Hold(t, strings.HasSuffix(text, "; give a path"), "the error ends with %q",
			text[max(0, len(text)-60):])
		if utf8.ValidString(value) {
			must.Hold(t, utf8.ValidString(text), "characters were cut in two")
		}
	}
	short := "option knn: 2.5 is not a whole number"
	must.Hold(t, shortenError(short) == short, "%v", shortenError(short))
}
