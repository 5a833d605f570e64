package batch

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"superpoint/embed/atomicfile"
	"superpoint/filter/child"
	"superpoint/filter/host"
	"superpoint/filter/sources"
)

// task is one input of segment and the name of its result.
type task struct {
	input, output string
	made          made
	kept          string // what is there and stays; "" = it is to be made
	to            *atomicfile.Output
}

// assign gives each input its output, and reports whether that lies in a folder
// which out names.
func assign(inputs []string, out string, copc bool) (tasks []task, folder bool, err error) {
	info, err := os.Stat(out)
	ending := strings.ToLower(filepath.Ext(out))
	cloud := ending == ".las" || ending == ".laz"
	switch {
	case err == nil && info.IsDir() || strings.HasSuffix(out, string(filepath.Separator)):
		// a folder: what has no other output goes there
	case cloud && copc:
		return nil, false, fmt.Errorf("option copc: it is for folders; name a file that ends in %s instead", sources.COPC)
	case cloud && len(inputs) == 1:
		return []task{{input: inputs[0], output: out}}, false, nil
	case cloud:
		return nil, false, fmt.Errorf("%s is the name of a file, and there are %d inputs; name a folder", out, len(inputs))
	case err == nil:
		return nil, false, fmt.Errorf("%s is a file; name a folder, or a file that ends in .laz, .las or %s", out,
			sources.COPC)
	case ending != "" && len(inputs) == 1 || sources.IsVirtual(out):
		return nil, false, fmt.Errorf("%s: results are LAS, LAZ or COPC; choose a name that ends in .laz, .las or %s, or "+
			"a folder", out, sources.COPC)
	}
	from := map[string]string{} // the one input of every name that an output may have
	for _, input := range inputs {
		t := task{input: input, output: filepath.Join(out, sources.ResultName(input))}
		if copc {
			t.output = sources.COPCName(t.output)
		}
		for _, name := range t.names() {
			if other, taken := from[name]; taken {
				return nil, false, fmt.Errorf("%s and %s may both become %s; name another output for one of them", other, input,
					name)
			}
			from[name] = input
		}
		tasks = append(tasks, t)
	}
	return tasks, true, nil
}

func (t task) unpacked() string { return child.UnpackedName(t.output) }

// names returns the names that the result may have: LAZ becomes LAS where PDAL cannot
// write all of the points to it.
func (t task) names() []string {
	if isUnpacked(t.output) || sources.IsCOPC(t.output) {
		return []string{t.output}
	}
	return []string{t.output, t.unpacked()}
}

// done returns the name of a result of the same input and options, or "".
func (t task) done() string {
	for _, name := range t.names() {
		if m := madeOf(name); m != nil && m.same(&t.made) {
			return name
		}
	}
	return ""
}

// isForeign reports whether there is a file of a name that segment did not make.
func (t task) isForeign(name string) bool {
	_, err := os.Stat(name)
	return err == nil && madeOf(name) == nil
}

// segmenter runs the stage on one file after the other.
type segmenter struct {
	host    host.Host
	options map[string]string // of the stage, with absolute paths
	content map[string]string // SHA-256 of the files that options name
	srs     string            // of files that name none
	where   string            // which points; "" = all
	files   *atomicfile.Files
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
