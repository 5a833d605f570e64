// SPDX-License-Identifier: BSD-3-Clause

// Package segment is the command segment: it computes the superpoints of files, one by one, each in its own
// pdal process, which small ones share. An output appears only when it is complete.
package segment

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"

	"superpoint/filter/host"
	"superpoint/pipelines/commands/command"
	"superpoint/pipelines/files/atomicfile"
	"superpoint/pipelines/files/pdalprocess"
	"superpoint/pipelines/files/sources"
	"superpoint/pipelines/job"
	"superpoint/pipelines/layers"
)

const segmentUsage = `[options] IN… OUT

Computes the superpoints of point clouds. OUT has all dimensions of IN and SuperpointID,
Embedding0, …, in LAS 1.4 with the same point format.

IN is a file of any format that PDAL reads, a folder of LAS and LAZ, a quoted pattern, or a
virtual point cloud (.vpc). OUT, or --output, is a file for one IN, else
a folder, in which the results have the names of the inputs. An output appears only when
it is complete, and records its input, options and model (in an extended variable length
record of LAS). In a folder, outputs of the same input, options and model are not computed
again. Files that superpoint did not write, or that were changed since, are not replaced. If
a file fails, the error names it, the other files are processed, and the exit code is 1.
Several files are processed in parallel, one per thread, using at most half of the free memory.

The options of the stage are options of this command.`

// Command is the command segment.
func Command() command.Command {
	return command.Command{Name: "segment", Line: "superpoints of files and folders; start here",
		Usage: segmentUsage, Define: segmentCommand, Bytes: command.ByFilter}
}

func segmentCommand(a *command.Arguments) func(names []string) error {
	r := Request{Files: &a.Files, Say: a.Say}
	var format string
	a.OutputOption("`file` or folder to write")
	a.ForceFolderOption("replace any file OUT; in a folder, compute its outputs again")
	a.BoolVar(&r.COPC, "copc", false, "write COPC into the folder (PDAL 2.4 and newer)")
	a.StringVar(&r.Where, "where", "",
		"`expression` of PDAL that selects points; the others are copied unchanged")
	r.AreaOption(a)
	check := a.FormatOption(
		&format,
		"of the lines about the files on standard output",
		command.FormatText,
		command.FormatJSON,
	)
	a.StageOptions(command.AllGroups())
	return func(names []string) error {
		if err := check(); err != nil {
			return err
		}
		from, to, err := a.Split(names)
		if err != nil {
			return err
		}
		if len(from) == 0 {
			return errors.New("name the point clouds and, last, the output: pdal superpoint segment IN… OUT")
		}
		if files, err := sources.Files(from, nil); err == nil {
			if headers, err := layers.ReadHeaders(a.Host, a.References, files); err == nil {
				layers.WarnOfOverlaps(a.Host, headers)
			}
		}
		r.References = a.References
		r.Options, r.JSON = a.Given(), format == command.FormatJSON
		_, err = Run(a.Host, from, to, r)
		return err
	}
}

// task is an input and the path of its result.
type task struct {
	input, output string
	record        job.Record
	kept          string // existing result that is kept; "" = none
	to            *atomicfile.Output
	companion     *pdalprocess.Companion // process that it shares with other tasks; nil = it has its own
}

// exact has the options with which PDAL writes other formats without loss. Without them coordinates in PLY
// have six digits, and text has three decimals.
var exact = map[string]string{".ply": "--writers.ply.storage_mode='little endian'",
	".txt": textExact, ".csv": textExact, ".xyz": textExact}

const textExact = "--writers.text.precision=9"

// assign returns the tasks, and whether out is a folder.
func assign(inputs []string, out string, copc bool) (tasks []task, folder bool, err error) {
	info, err := os.Stat(out)
	ending := strings.ToLower(filepath.Ext(out))
	cloud := ending == ".las" || ending == ".laz"
	switch {
	case err == nil && info.IsDir() || strings.HasSuffix(out, string(filepath.Separator)):
		// out is a folder
	case cloud && copc && !(len(inputs) == 1 && sources.IsCOPC(out)):
		return nil, false, fmt.Errorf("option copc: it is for folders; name a file that ends in %s instead",
			sources.COPC)
	case cloud && len(inputs) == 1:
		return []task{{input: inputs[0], output: out}}, false, nil
	case cloud:
		return nil, false, fmt.Errorf("%s is the name of a file, and there are %d inputs; name a folder",
			out, len(inputs))
	case err == nil:
		return nil, false, fmt.Errorf("%s is a file; name a folder, or a file that ends in .laz, .las or %s",
			out, sources.COPC)
	case ending != "" && len(inputs) == 1 || sources.IsVirtual(out):
		laz := strings.TrimSuffix(out, filepath.Ext(out)) + ".laz"
		then := ""
		if exact[ending] != "" {
			then = fmt.Sprintf(", and then: pdal translate %s %s %s", laz, out, exact[ending])
		}
		return nil, false, fmt.Errorf(
			"%s: results are LAS, LAZ or COPC, which keep all of the input; write %s%s", out, laz,
			then)
	}
	from := map[string]string{} // the one input of every name that an output may have
	for _, input := range inputs {
		t := task{input: input, output: filepath.Join(out, sources.ResultName(input))}
		if copc {
			t.output = sources.COPCName(t.output)
		}
		for _, name := range pdalprocess.ResultNames(t.output) {
			if other, taken := from[name]; taken {
				return nil, false, fmt.Errorf(
					"%s and %s may both become %s; name another output for one of them", other, input,
					name)
			}
			from[name] = input
		}
		tasks = append(tasks, t)
	}
	return tasks, true, nil
}

func (t task) unpacked() string { return pdalprocess.UnpackedName(t.output) }

// smallBytes is the size of a LAS or LAZ file up to which it shares a process with others: the start of a
// process takes a tenth of a second of processor time, as 30,000 points do.
const smallBytes = 1 << 20

func (t task) small() bool {
	return sources.IsLAS(t.input) && t.bytes() <= smallBytes
}

// bytes returns the size of the input; 0 if its result is kept.
func (t task) bytes() int64 {
	info, err := os.Stat(t.input)
	if err != nil || t.kept != "" {
		return 0
	}
	return info.Size()
}

// done returns the name of an existing result of the same input and options, or "".
func (t task) done() string {
	for _, name := range pdalprocess.ResultNames(t.output) {
		if r := job.ReadRecord(name); r != nil && r.Same(&t.record) && atomicfile.Unchanged(name) == nil {
			return name
		}
	}
	return ""
}

// segmenter has the options of all tasks.
type segmenter struct {
	Request  // Options with the paths of copies, see pin
	host     host.Host
	area     *polygons         // of the option area
	pinned   job.Options       // the files that options name
	content  map[string]string // checksums of these files
	software string            // filter.Software
	refused  atomic.Bool       // PDAL could not pack a result
	threads  int               // of each of the tasks that run at once; 0 = as the options say

	lock sync.Mutex // of Files
}

// work is the processing of one file. Its pdal runs in a temporary folder beside the output, in
// which files have plain names: pdal reads some characters of names as patterns, and its
// pipelines are UTF-8.
type work struct {
	*segmenter
	task
	pdalprocess.Process
	points   int64  // of the result
	override string // spatial reference that readers must be given; "" = none
	newWKT   bool   // the result has the reference that PDAL writes
	// hasColumns: the file columnsName in the folder has the coordinates of the result.
	hasColumns bool
	inArea     []pdalprocess.Stage // that select points
	// unwritable: PDAL cannot write the reference, and the result keeps the record of the input.
	unwritable bool
}

// recordOf returns the record for the result of an input, without options that do not affect results.
func (s *segmenter) recordOf(input string) (r job.Record, err error) {
	r = job.Record{
		Software: s.software,
		Options:  job.NamesOf(s.Options, s.content),
		Content:  s.content,
		Where:    s.Where,
		Default:  s.Default,
		Override: s.Override,
	}
	for _, option := range []string{"threads", "device"} {
		delete(r.Options, option)
	}
	r.Source, err = job.Content(input)
	return r, err
}
