// SPDX-License-Identifier: BSD-3-Clause

package segment

import (
	"errors"

	"superpoint/pipelines/commands/command"
	"superpoint/pipelines/commands/layers"
	"superpoint/pipelines/files/sources"
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
Files run at once, one a thread, as long as half of the free memory holds them.

The options of the stage are options of this command.`

// Command is the command segment.
func Command() command.Command {
	return command.Command{Name: "segment", Line: "superpoints of files and folders; start here",
		Usage: segmentUsage, Define: segmentCommand, Bytes: command.ByFilter}
}

func segmentCommand(a *command.Arguments) func(names []string) error {
	r := Request{Files: &a.Files}
	var format string
	a.OutputOption("`file` or folder to write")
	a.ForceFolderOption("replace any file OUT; in a folder, compute its outputs again")
	a.BoolVar(&r.COPC, "copc", false, "write COPC into the folder (PDAL 2.4 and newer)")
	a.StringVar(&r.Where, "where", "", "`expression` of PDAL that selects points; the others are copied unchanged")
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
			if headers, err := layers.ReadHeaders(a.Host, files); err == nil {
				layers.WarnOfOverlaps(a.Host, headers)
			}
		}
		r.References = a.References
		r.Options, r.JSON = a.Given(), format == command.FormatJSON
		_, err = Run(a.Host, from, to, r)
		return err
	}
}
