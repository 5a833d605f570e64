package command

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
)

// pdalProgram returns the pdal that runs this command, else the first on the
// PATH. Its environment (library and plugin paths) is inherited.
func pdalProgram() (string, error) {
	if own, err := os.Executable(); err == nil && filepath.Base(own) == "pdal" {
		return own, nil
	}
	if path := os.Getenv("SUPERPOINT_PDAL"); path != "" {
		return path, nil
	}
	path, err := exec.LookPath("pdal")
	if err != nil {
		return "", errors.New("no pdal on the PATH; set SUPERPOINT_PDAL to one")
	}
	return path, nil
}

// child is a pdal that runs beside this one.
type child struct {
	folder   string                              // where it runs; "" = here
	progress func(step string, fraction float64) // of filters.superpoint; nil = not wanted
	warn     func(text string)                   // a warning of one of its stages; nil = part of an error
}

// pdal runs pdal and returns what it prints.
func pdal(ctx context.Context, input []byte, args ...string) ([]byte, error) {
	return child{}.run(ctx, input, args...)
}

// run runs pdal and returns what it prints.
func (c child) run(ctx context.Context, input []byte, args ...string) ([]byte, error) {
	program, err := pdalProgram()
	if err != nil {
		return nil, err
	}
	p := exec.CommandContext(ctx, program, args...)
	p.Dir = c.folder
	p.SysProcAttr = endsWithUs()
	if c.progress != nil {
		p.Env = append(os.Environ(), "SUPERPOINT_PROGRESS=lines")
	}
	var out bytes.Buffer
	said := &listener{child: c}
	p.Stdin, p.Stdout, p.Stderr = bytes.NewReader(input), &out, said
	if err := p.Run(); err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		text := strings.TrimSpace(strings.TrimPrefix(said.complaint(), "PDAL:"))
		if text == "" {
			text = err.Error()
		}
		return nil, fmt.Errorf("pdal %s: %s", args[0], text)
	}
	said.complaint()
	return out.Bytes(), nil
}

// listener takes a child's standard error apart by lines.
type listener struct {
	child
	line []byte // that has not ended yet
	rest strings.Builder
}

func (l *listener) Write(b []byte) (int, error) {
	l.line = append(l.line, b...)
	for {
		end := bytes.IndexByte(l.line, '\n')
		if end < 0 {
			return len(b), nil
		}
		l.hear(string(l.line[:end]))
		l.line = l.line[end+1:]
	}
}

func (l *listener) hear(line string) {
	if step, percent, ok := progressLine(line); ok && l.progress != nil {
		l.progress(step, percent)
		return
	}
	if _, text, ok := strings.Cut(line, " Warning) "); ok && strings.HasPrefix(line, "(pdal ") && l.warn != nil {
		l.warn(text)
		return
	}
	l.rest.WriteString(line + "\n")
}

// complaint returns what is neither progress nor a warning.
func (l *listener) complaint() string {
	if len(l.line) > 0 {
		l.hear(string(l.line))
		l.line = nil
	}
	return strings.TrimSpace(l.rest.String())
}

// progressLine reads "PROGRESS embedding 40".
func progressLine(line string) (step string, fraction float64, ok bool) {
	text, ok := strings.CutPrefix(line, "PROGRESS ")
	at := strings.LastIndexByte(text, ' ')
	if !ok || at < 0 {
		return "", 0, false
	}
	percent, err := strconv.Atoi(text[at+1:])
	return text[:at], float64(percent) / 100, err == nil
}

// pipeline runs stages.
func pipeline(ctx context.Context, stages ...any) error {
	return child{}.pipeline(ctx, stages)
}

// pipeline runs stages with further options of the command.
func (c child) pipeline(ctx context.Context, stages []any, options ...string) error {
	text, err := json.Marshal(stages)
	if err != nil {
		return err
	}
	_, err = c.run(ctx, text, append([]string{"pipeline", "--stdin"}, options...)...)
	return err
}

// writer returns a LAS or LAZ writer for files of the layout.
func (l *layout) writer(path, extra string) map[string]any {
	w := map[string]any{
		"type": "writers.las", "filename": path, "forward": "all", "minor_version": 4, "dataformat_id": l.Format, "extra_dims": extra,
	}
	if extra == "" {
		delete(w, "extra_dims")
	}
	if strings.HasSuffix(path, ".laz") {
		w["compression"] = "laszip"
	}
	for k, axis := range []string{"x", "y", "z"} {
		w["scale_"+axis], w["offset_"+axis] = l.Scale[k], l.Offset[k]
	}
	return w
}

// extraDims writes fields as the option extra_dims takes them.
func extraDims(fields []field) string {
	var all []string
	for _, f := range fields {
		all = append(all, f.Name+"="+f.Type)
	}
	return strings.Join(all, ",")
}
