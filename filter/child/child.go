// Package child runs a pdal beside this one: pipelines, and what it reports of a
// file. Its progress and warnings are handed on, and it ends with this process.
package child

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

// Process says how a pdal runs beside this one.
type Process struct {
	Folder   string                              // where it runs; "" = here
	Progress func(step string, fraction float64) // of filters.superpoint; nil = not wanted
	Warn     func(text string)                   // a warning of one of its stages; nil = part of an error
}

// Run runs pdal and returns what it prints.
func Run(ctx context.Context, input []byte, args ...string) ([]byte, error) {
	return Process{}.run(ctx, input, args...)
}

// run runs pdal and returns what it prints.
func (c Process) run(ctx context.Context, input []byte, args ...string) ([]byte, error) {
	program, err := pdalProgram()
	if err != nil {
		return nil, err
	}
	p := exec.CommandContext(ctx, program, args...)
	p.Dir = c.Folder
	p.SysProcAttr = endsWithUs()
	if c.Progress != nil {
		p.Env = append(os.Environ(), "SUPERPOINT_PROGRESS=lines")
	}
	var out bytes.Buffer
	said := &listener{Process: c}
	p.Stdin, p.Stdout, p.Stderr = bytes.NewReader(input), &out, said
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
	said.complaint()
	return out.Bytes(), nil
}

// failure is the error of a pdal command, with a remedy where pdal names none.
func failure(command, text string) error {
	if strings.Contains(text, "writers.copc") && strings.Contains(text, "Couldn't create") {
		return errors.New(noCOPC)
	}
	return fmt.Errorf("pdal %s: %s", command, text)
}

const noCOPC = "this PDAL cannot write COPC, PDAL 2.4 and newer can; choose an output that ends in .laz"

// CheckCOPC fails if pdal cannot write COPC.
func CheckCOPC(ctx context.Context) error {
	drivers, err := Run(ctx, nil, "--drivers")
	if err == nil && !bytes.Contains(drivers, []byte("writers.copc")) {
		err = errors.New(noCOPC)
	}
	return err
}

// listener takes a child's standard error apart by lines.
type listener struct {
	Process
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
	if step, percent, ok := progressLine(line); ok && l.Progress != nil {
		l.Progress(step, percent)
		return
	}
	if _, text, ok := strings.Cut(line, " Warning) "); ok && strings.HasPrefix(line, "(pdal ") && l.Warn != nil {
		l.Warn(text)
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

// Pipeline runs stages.
func Pipeline(ctx context.Context, stages ...any) error {
	return Process{}.Pipeline(ctx, stages)
}

// Pipeline runs stages.
func (c Process) Pipeline(ctx context.Context, stages []any) error {
	return c.pipeline(ctx, stages)
}

func (c Process) pipeline(ctx context.Context, stages []any, options ...string) error {
	text, err := json.Marshal(stages)
	if err != nil {
		return err
	}
	_, err = c.run(ctx, text, append([]string{"pipeline", "--stdin"}, options...)...)
	return err
}

// Metadata runs stages, in a folder of its own, and returns what they tell, as JSON.
func (c Process) Metadata(ctx context.Context, stages []any) ([]byte, error) {
	const name = "metadata.json"
	if err := c.pipeline(ctx, stages, "--metadata", name); err != nil {
		return nil, err
	}
	return os.ReadFile(filepath.Join(c.Folder, name))
}

// ExtraDims writes fields as the option extra_dims takes them.
func ExtraDims(fields []Field) string {
	var all []string
	for _, f := range fields {
		all = append(all, f.Name+"="+f.Type)
	}
	return strings.Join(all, ",")
}

// CannotPack is what to report where RefusedToPack.
const CannotPack = "this PDAL cannot write the file's classes or scan angles to LAZ"

// RefusedToPack reports whether a pipeline failed because LAZ cannot hold its points.
// PDAL 2.2 passes LASzip the fields of point formats 0 to 5 also for formats 6 to 10: it
// refuses a class above 31 unless that is a multiple of 32, and a scan angle beyond the
// range of int8. Such clouds can be written as LAS only.
func RefusedToPack(err error) bool {
	return err != nil && (strings.Contains(err.Error(), "legacy classification") ||
		strings.Contains(err.Error(), "ScanAngleRank:float(") && strings.Contains(err.Error(), "-> signed char"))
}

// UnpackedName is the name of a result that LAZ cannot hold.
func UnpackedName(name string) string {
	stem := name[:len(name)-len(filepath.Ext(name))]
	return strings.TrimSuffix(stem, ".copc") + ".las"
}
