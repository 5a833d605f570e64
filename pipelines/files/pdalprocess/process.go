// SPDX-License-Identifier: BSD-3-Clause

// Package pdalprocess runs pdal as a child process: pipelines, and the schema of a file. It passes on
// progress and warnings, and the child ends with this process.
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
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"superpoint/filter/message"
	"superpoint/pipelines/files/atomicfile"
	"superpoint/pipelines/files/las"
	"superpoint/pipelines/files/sources"
	"superpoint/pipelines/job"
)

// ErrNoProgram is the error of all that needs a pdal program without one.
var ErrNoProgram = errors.New("no pdal on the PATH; set SUPERPOINT_PDAL to one")

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
		return "", ErrNoProgram
	}
	return path, nil
}

// Process has the options of a pdal process.
type Process struct {
	Folder   string                              // working folder; "" = the current one
	Progress func(step string, fraction float64) // of filters.superpoint; may be nil
	Warn     func(text string)                   // warnings of stages; nil = part of the error if it fails
	Stage    func(metadata []byte)               // of filters.superpoint, also if a later stage fails

	Companion *Companion // runs the commands first; nil = each has a process of its own
}

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

// environment returns the variables of a pdal process, nil if they are those of this one. The plugin prints
// what the process is to know as lines of its standard error.
func (c Process) environment() (all []string) {
	if c.Progress != nil {
		all = append(os.Environ(), "SUPERPOINT_PROGRESS=lines")
	}
	if c.Stage != nil {
		if all == nil {
			all = os.Environ()
		}
		all = append(all, "SUPERPOINT_METADATA=lines")
	}
	return all
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

// CheckCOPC fails if pdal cannot write COPC.
func CheckCOPC(ctx context.Context) error {
	drivers, err := Process{}.run(ctx, nil, "--drivers")
	if err == nil && !bytes.Contains(drivers, []byte("writers.copc")) {
		err = errors.New("option copc: " + noCOPC + "; leave the option out")
	}
	return err
}

// listener splits a child's standard error into lines.
type listener struct {
	Process
	line []byte // the incomplete last line
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
	// readers.las then reads the WKT all the same
	if strings.Contains(line, "Global encoding WKT flag not set") ||
		// names of dimensions, such as those of a file of PDAL 2.2
		strings.HasSuffix(line, " is deprecated") {
		return
	}
	if step, percent, ok := progressLine(line); ok && l.Progress != nil {
		l.Progress(step, percent)
		return
	}
	if text, ok := strings.CutPrefix(line, "METADATA "); ok && l.Stage != nil {
		l.Stage([]byte(text))
		return
	}
	if _, text, ok := strings.Cut(line, " Warning) "); ok && strings.HasPrefix(line, "(pdal ") &&
		l.Warn != nil {
		l.Warn(text)
		return
	}
	l.rest.WriteString(line + "\n")
}

// complaint returns the lines that are neither progress nor warnings.
func (l *listener) complaint() string {
	if len(l.line) > 0 {
		l.hear(string(l.line))
		l.line = nil
	}
	return strings.TrimSpace(l.rest.String())
}

// errors returns the lines that report errors, of a process that succeeded.
func (l *listener) errors(command string) string {
	var all []string
	for line := range strings.SplitSeq(l.complaint(), "\n") {
		if text, warn := errorOf(command, line); !warn && text != "" {
			all = append(all, text)
		} else if warn && l.Warn != nil {
			l.Warn(text)
		}
	}
	return strings.Join(all, "\n")
}

// progressLine parses "PROGRESS embedding 40".
func progressLine(line string) (step string, fraction float64, ok bool) {
	text, ok := strings.CutPrefix(line, "PROGRESS ")
	at := strings.LastIndexByte(text, ' ')
	if !ok || at < 0 {
		return "", 0, false
	}
	percent, err := strconv.Atoi(text[at+1:])
	return text[:at], float64(percent) / 100, err == nil
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

// Writer returns the stage that writes a file as its name says: LAS, LAZ or COPC, with a point format and
// extra dimensions in the form of ExtraDims.
func Writer(path string, format int, extra string) Stage {
	w := Stage{"type": "writers.las", "filename": path, "forward": "all"}
	if extra != "" {
		w["extra_dims"] = extra
	}
	if sources.IsCOPC(path) {
		w["type"] = "writers.copc"
		return w
	}
	w["minor_version"], w["dataformat_id"] = "4", strconv.Itoa(format)
	if strings.HasSuffix(path, ".laz") {
		w["compression"] = "laszip"
	}
	return w
}

// ExtraDims formats fields for the option extra_dims.
func ExtraDims(fields []Field) string {
	var all []string
	for _, f := range fields {
		all = append(all, f.Name+"="+f.Type)
	}
	return strings.Join(all, ",")
}

// CannotPack is the message for RefusedToPack.
const CannotPack = "this PDAL cannot write the file's classes or scan angles to LAZ"

// RefusedToPack reports whether a pipeline failed because LAZ cannot hold its points.
// PDAL 2.2 passes LASzip the fields of point formats 0 to 5 also for formats 6 to 10: it
// refuses a class above 31 unless that is a multiple of 32, and a scan angle beyond the
// range of int8. Such clouds can be written as LAS only.
func RefusedToPack(err error) bool {
	return err != nil && (strings.Contains(err.Error(), "legacy classification") ||
		strings.Contains(err.Error(), "ScanAngleRank:float(") && strings.Contains(err.Error(),
			"-> signed char"))
}

// ResultNames returns the names that a result may have: a LAZ file becomes a LAS file if PDAL
// cannot compress it without loss.
func ResultNames(name string) []string {
	if other := UnpackedName(name); !strings.EqualFold(other, name) && !sources.IsCOPC(name) {
		return []string{name, other}
	}
	return []string{name}
}

// UnpackedName returns the name of a result that cannot be compressed.
func UnpackedName(name string) string {
	stem := name[:len(name)-len(filepath.Ext(name))]
	return strings.TrimSuffix(stem, ".copc") + ".las"
}

// Stage has the options of a stage of a pipeline by name. All are text, because PDAL 2.2 cuts floating point
// numbers in JSON to six digits.
type Stage map[string]string

// Number formats a number for an option of a stage.
func Number(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

// loggedError matches what PDAL and GDAL log as an error, also if the process then succeeds.
var loggedError = regexp.MustCompile(`^(?:\(pdal[^)]* Error\)|ERROR \d+:|PDAL:)\s*(.*)`)

// toleratedError is a message that PDAL and GDAL log as an error although no point and no value is lost or
// changed.
type toleratedError struct {
	of   *regexp.Regexp
	warn bool // the user should know
}

var tolerated = [...]toleratedError{ // read only
	// readers.text skips lines that are empty but for blanks or the end of a line of Windows; sources.Inspect
	// has refused all other lines that it would skip.
	{regexp.MustCompile(`(?i)Line \d+ in '.*\.(txt|csv)' contains 1 fields when \d+ were expected`), false},
	// writers.las takes the first; the references of files were compared before, by their meaning and not by
	// their text.
	{regexp.MustCompile(`with multiple point spatial references`), false},
	// A plugin that the pipeline does not need; if it does, the process fails.
	{regexp.MustCompile(`Can't load library`), false},
	// The metadata have the reference also as a PROJ string, which not every reference has; nothing reads it.
	{regexp.MustCompile(`(?i)proj_as_proj_string|No PROJ\.4 translation|exportToProj4`), false},
	// Readers and the metadata have GDAL read the reference several times, pdal info of PDAL 2.10 also
	// without PDAL's log. If it is not replaced by override_srs, the stage refuses it; points are not
	// affected.
	{regexp.MustCompile(
		`^(?:info \(pdal \S+(?: \S+)?|\w+ \(pdal \S+ readers\.(?:las|copc)) Error\) GDAL failure \(1\)|` +
			`^info ERROR 1:`), false},
	// A spatial reference that cannot be read is no reference, about which the stage warns; points are not
	// affected.
	{regexp.MustCompile(`Could not create an SRS|Geotiff directory contains`), true},
}

// errorOf returns the error that a line of a pdal command reports, and whether the user should get it as a
// warning instead. Both are empty for other lines and tolerated errors.
func errorOf(command, line string) (text string, warn bool) {
	m := loggedError.FindStringSubmatch(line)
	if m == nil {
		return "", false
	}
	for _, t := range tolerated {
		if t.of.MatchString(command + " " + line) {
			if !t.warn {
				return "", false
			}
			return m[1], true
		}
	}
	return strings.TrimSpace(line), false
}

// Refused reports whether PDAL refuses a file: for names of its extra dimensions, or its ending.
func Refused(path string) bool {
	return las.Refused(path) || sources.Refused(path)
}

// Readable calls read with the path of a file, or of a temporary copy if PDAL refuses it.
func Readable(path string, read func(path string) error) error {
	if !Refused(path) {
		return read(path)
	}
	folder, done, err := atomicfile.Temporary()
	if err != nil {
		return err
	}
	defer done()
	renamed := filepath.Join(folder, "renamed"+sources.Ending(path))
	if err := Alias(path, renamed); err != nil {
		return err
	}
	if err = read(renamed); err != nil && !errors.Is(err, context.Canceled) {
		err = errors.New(strings.ReplaceAll(err.Error(), renamed, path))
	}
	return err
}

// Alias makes a file available to PDAL under another name: as a link, or as a copy if PDAL refuses its
// dimensions.
func Alias(path, to string) error {
	if las.Refused(path) {
		return las.Rename(path, to)
	}
	path, err := filepath.Abs(path)
	if err != nil {
		return err
	}
	return atomicfile.Alias(path, to)
}

// PlainName returns a name of an input without characters that pdal expands or cannot read; it may be that of
// a link in the folder, stem with its ending, or of a copy whose dimensions pdal can read.
func (c Process) PlainName(input, stem string) (string, error) {
	if utf8.ValidString(input) && !strings.ContainsAny(input, "*?[]{}\\") && !Refused(input) {
		return input, nil
	}
	name := stem + sources.Ending(input)
	return name, Alias(input, c.path(name))
}

// info runs pdal info, which reads no points: once for all LAS files of a kind, as a process takes a tenth of
// a second and tiles are alike, and for others once for each state of a file. Its warnings are not about the
// result ("only 0 points were found"): what is true of the file, the process that reads the points says, too.
func (c Process) info(ctx context.Context, path string, options ...string) (text []byte, err error) {
	whole := c.path(path)
	kind := func() (string, error) { return las.Kind(whole) }
	key := fmt.Sprint(options, sources.Ending(path))
	return described.OfKind(whole, key, kind, func() (text []byte, err error) {
		err = Readable(whole, func(now string) error {
			if now != whole {
				path = now
			}
			args := append(append([]string{"info"}, options...), path)
			text, err = Process{Folder: c.Folder}.run(ctx, nil, args...)
			return err
		})
		return text, err
	})
}

var described job.Memo[[]byte] // what pdal info printed; of LAS only what the kind determines is used
