package main

import (
	"context"
	"errors"
	"slices"
	"testing"

	"superpoint/filter"
	"superpoint/filter/host"
)

// TestPipelineInThisProcess runs a pipeline whose stage calls the library on the
// host's thread: what it tells goes to the command, and it ends with the command.
func TestPipelineInThisProcess(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var told, heard []string // unguarded: the race detector sees any other goroutine
	s := new(session)
	own := callbacks{log: func(int, string) { t.Error("the stage told PDAL") },
		progress: func(string, float64) { t.Error("the stage told PDAL") }}
	outside := callbacks{
		log:      func(_ int, text string) { told = append(told, text) },
		progress: func(step string, _ float64) { told = append(told, step) },
		pipeline: func(folder, stages string, run bool) (string, error) {
			err := s.run(own, func(p *pump) error {
				p.Log(filter.LogWarning, "careful")
				for k := range 300 { // more than wait for a thread that does not listen
					p.Progress("embedding", float64(k%100)/100)
				}
				p.Progress("embedding", 1)
				cancel()
				<-p.Context().Done()
				return errors.New("ended")
			})
			return folder + stages, err
		},
	}
	err := run(ctx, outside, func(p *pump) error {
		answer, err := p.Pipeline("folder", []byte("[]"), true, host.Heard{
			Progress: func(step string, fraction float64) { p.Progress("file: "+step, fraction) },
			Log: func(_ int, text string) {
				heard = append(heard, text)
				p.Log(filter.LogInfo, "file: "+text)
			},
		})
		if err == nil || err.Error() != "ended" {
			t.Errorf("%q, %v", answer, err)
		}
		return nil
	})
	if err != nil || !slices.Equal(heard, []string{"careful"}) || len(told) < 2 || told[0] != "file: careful" ||
		told[len(told)-1] != "file: embedding" {
		t.Errorf("heard %q, told %d messages: %q …, %v", heard, len(told), told[:min(3, len(told))], err)
	}
	if ctx, host := within(own); ctx.Err() != nil || host.log == nil || running.Load() != nil {
		t.Error("the command is not over")
	}
}

func TestHostWithoutPipelines(t *testing.T) {
	err := run(t.Context(), callbacks{}, func(p *pump) error {
		_, err := p.Pipeline("", nil, true, host.Heard{})
		return err
	})
	if !errors.Is(err, errors.ErrUnsupported) {
		t.Errorf("error %v", err)
	}
}
