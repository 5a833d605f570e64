package command

import (
	"errors"
	"fmt"

	"superpoint/filter/batch"
)

const segmentUsage = `segment [options] IN… OUT

Superpoints of point clouds: every point of IN gets SuperpointID, Embedding0, …
and keeps all that it has, in LAS 1.4 of the same point format.

IN is a file of any kind that PDAL reads, a folder of LAS and LAZ, a pattern in
quotes, a virtual point cloud (.vpc), or EPT (ept.json). OUT is a file for one
IN, else a folder, in which the results have the names of the inputs. An output
has its name only when it is whole. In a folder, an output that is newer than
its input is left as it is. A file that fails is named and the others go on;
then the exit code is 1.

The options of the stage are options of this command.`

func runSegment(host Host, arguments []string) error {
	a := newArguments("segment", segmentUsage, host)
	force := a.Bool("force", false, "make outputs in a folder again that are there")
	unique := a.Bool("unique", false, "let ids go on from file to file, so that none is given twice")
	srs := a.String("default_srs", "", "spatial reference of files that name none, for example EPSG:32632")
	where := a.String("where", "", "points to take, as an `expression` of PDAL; the others get id 0")
	format := a.String("format", "text", "of the lines about the files on standard output: text or json")
	args, err := a.parse(arguments)
	if err != nil {
		return err
	}
	if *format != "text" && *format != "json" {
		return fmt.Errorf("option format: %q; give text or json", *format)
	}
	if len(args) < 2 {
		return errors.New("name the point clouds, and last where the result goes: pdal superpoint segment IN… OUT")
	}
	last := len(args) - 1
	return batch.Run(host, args[:last], args[last], batch.Request{
		Options: a.stageOptions(), SRS: *srs, Where: *where, Unique: *unique, Force: *force, JSON: *format == "json", Files: &a.files,
	})
}
