package batch

import (
	"superpoint/embed/whole"
	"superpoint/filter/child"
	"superpoint/filter/host"
)

// segmenter runs the stage on one file after the other.
type segmenter struct {
	host    host.Host
	options map[string]string // of the stage, with absolute paths
	content map[string]string // SHA-256 of the files that options name
	srs     string            // of files that name none
	where   string            // which points; "" = all
	files   *whole.Files
	ids     *idRange // that go on over the files; nil = each begins at 1
	json    bool
	packs   *bool // whether this PDAL can write LAZ with all classes; nil = not tried yet
}

// work is what becomes one file. Its child runs in a folder of its own, beside the
// output, in which files have plain names: pdal takes some characters of names
// as patterns, and its pipelines hold only UTF-8.
type work struct {
	*segmenter
	task
	child.Process
}

// dimension is the one that takes the ids.
func (s *segmenter) dimension() string {
	if name := s.options["dimension"]; name != "" {
		return name
	}
	return "SuperpointID"
}
