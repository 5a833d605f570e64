package command

import (
	"errors"

	"superpoint/filter/batch"
)

const segmentUsage = `[options] IN… OUT

Superpoints of point clouds: every point of IN gets SuperpointID, Embedding0, …
and keeps all that it has, in LAS 1.4 of the same point format.

IN is a file of any kind that PDAL reads, a folder of LAS and LAZ, a pattern in
quotes, a virtual point cloud (.vpc), or EPT (ept.json). OUT, or --output, is a file for one
IN, else a folder, in which the results have the names of the inputs. An output
has its name only when it is whole, and records what made it (an extended variable
length record of LAS). In a folder, an output of the same input, options and model
is left as it is, and a file that segment did not make is not written over. A file
that fails is named and the others go on; then the exit code is 1.

The options of the stage are options of this command.`

func segmentCommand(a *arguments) func(names []string) error {
	r := batch.Request{Files: &a.files}
	var format string
	a.outputOption("`file` or folder to write")
	a.BoolVar(&r.Force, "force", false, "make outputs in a folder again, whatever is there")
	a.BoolVar(&r.COPC, "copc", false, "write COPC into the folder (PDAL 2.4 and newer)")
	a.BoolVar(&r.Unique, "unique", false, "let ids go on from file to file, so that none is given twice")
	a.StringVar(&r.SRS, "default_srs", "", "spatial `reference` of files that name none, for example EPSG:32632")
	a.StringVar(&r.Where, "where", "", "points to take, as an `expression` of PDAL; the others stay as they are")
	check := a.formatOption(&format, "of the lines about the files on standard output", formatText, formatJSON)
	a.stageOptions(allGroups())
	return func(names []string) error {
		if err := check(); err != nil {
			return err
		}
		from, to := a.split(names)
		if len(from) == 0 {
			return errors.New("name the point clouds, and last where the result goes: pdal superpoint segment IN… OUT")
		}
		r.Options, r.JSON = a.given(), format == formatJSON
		return batch.Run(a.host, from, to, r)
	}
}
