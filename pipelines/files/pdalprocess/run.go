// SPDX-License-Identifier: BSD-3-Clause

package pdalprocess

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"superpoint/filter/message"
)

// run runs pdal and returns what it prints.
func (c Process) run(ctx context.Context, input []byte, args ...string) ([]byte, error) {
	if c.Companion != nil {
		if out, done := c.runInCompanion(ctx, input, args); done {
			return out, nil
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
	}
	program, err := pdalProgram()
	if err != nil {
		return nil, err
	}
	p := exec.CommandContext(ctx, program, args...)
	p.Dir = c.Folder
	p.SysProcAttr = endsWithUs()
	p.Env = c.environment()
	var out bytes.Buffer
	said := &listener{Process: c}
	p.Stdin = bytes.NewReader(input)
	p.Stdout = &out
	p.Stderr = said
	if err := p.Run(); err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		text := strings.TrimSpace(strings.TrimPrefix(said.complaint(), "PDAL:"))
		if text == "" {
			text = err.Error()
		}
		return nil, failure(args[0], text)
	}
	if text := said.errors(args[0]); text != "" {
		return nil, failure(args[0], text)
	}
	return out.Bytes(), nil
}

// CheckCOPC fails if pdal cannot write COPC.
func CheckCOPC(ctx context.Context) error {
	drivers, err := Process{}.run(ctx, nil, "--drivers")
	if err == nil && !bytes.Contains(drivers, []byte("writers.copc")) {
		err = errors.New("option copc: " + noCOPC + "; leave the option out")
	}
	return err
}

// Pipeline runs stages with options of pdal pipeline.
func (c Process) Pipeline(ctx context.Context, stages []Stage, options ...string) error {
	return c.pipeline(ctx, stages, options...)
}

func (c Process) pipeline(ctx context.Context, stages any, options ...string) error {
	text, err := json.Marshal(stages)
	if err != nil {
		return err
	}
	_, err = c.run(ctx, text, append([]string{"pipeline", "--stdin"}, options...)...)
	return err
}

// Metadata runs stages and returns their metadata as JSON.
func (c Process) Metadata(ctx context.Context, stages []Stage) ([]byte, error) {
	const name = "metadata.json"
	if err := c.Pipeline(ctx, stages, "--metadata", name); err != nil {
		return nil, err
	}
	return os.ReadFile(filepath.Join(c.Folder, name))
}

// failure returns the error of a pdal command, with a remedy if pdal gives none.
func failure(command, text string) error {
	if strings.Contains(text, "writers.copc") && strings.Contains(text, "Couldn't create") {
		return errors.New(noCOPC + "; choose an output that ends in .laz")
	}
	err := fmt.Errorf("pdal %s: %s", command, text)
	if clear := message.Explain(text); clear != "" && !RefusedToPack(err) {
		return errors.New(clear)
	}
	return err
}

const noCOPC = "this PDAL cannot write COPC, PDAL 2.4 and newer can"
