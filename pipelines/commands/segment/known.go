// SPDX-License-Identifier: BSD-3-Clause

package segment

import (
	"path/filepath"
	"slices"
	"strings"

	"superpoint/filter"
	"superpoint/filter/host"
	"superpoint/filter/land"
	"superpoint/filter/message"
	"superpoint/filter/naming"
	"superpoint/filter/option"
	"superpoint/filter/steps"
	"superpoint/partition/base/arrays"
	"superpoint/partition/metrics"
	"superpoint/pipelines/files/atomicfile"
	"superpoint/pipelines/files/las"
	"superpoint/pipelines/files/pdalprocess"
	"superpoint/pipelines/job"
)

// Classes need superpoints and embeddings, which an input may have already: a result of segment with the same
// options. The stage would compute the same ones again, because they depend on the points and the options
// only, and then the same classes (filter.Classify). So classes alone are computed, and all else comes from
// the input. The proof is the record of the input: it says how the input was made, and that nobody has
// changed it since; it has the content of the model, too, so the embedding is the model's. Without the proof
// the stage runs.

// known is a filter that computes the classes of an input, and what it reads.
type known struct {
	*filter.Filter
	reads []string
}

// known returns the filter of the options if the input has all of its outputs but for classes; else nil.
func (w *work) known(about *pdalprocess.Schema, outputs []las.Column) (*known, error) {
	if !w.ClassesOnly || !w.isResult(about) || !w.keepsReference(about) {
		return nil, nil
	}
	options, err := option.OptionsOf(w.Options)
	if err != nil {
		return nil, err
	}
	f, err := filter.New(options, w.logOfStage)
	if err != nil {
		return nil, err
	}
	d, err := f.Describe(about.Names())
	if err != nil {
		return nil, err
	}
	for _, o := range outputs {
		isClass := slices.Contains(f.ClassOutputs(), o.Name)
		if !isClass && !slices.Contains(about.Names(), o.Name) {
			return nil, nil
		}
	}
	k := &known{Filter: f, reads: naming.Embedding(f.Embedding().Dim)}
	for _, name := range k.reads {
		if !slices.Contains(about.Names(), name) {
			return nil, nil
		}
	}
	for _, i := range slices.Concat(d.Required, d.Optional) {
		k.reads = append(k.reads, i.Name)
	}
	for _, o := range outputs {
		k.reads = append(k.reads, o.Name)
	}
	slices.Sort(k.reads)
	k.reads = slices.Compact(k.reads)
	return k, nil
}

// isResult reports whether the input is an unchanged result with the superpoints that are asked for.
func (w *work) isResult(about *pdalprocess.Schema) bool {
	isReadable := w.isLAS(about) && !pdalprocess.Refused(w.input)
	if !isReadable || about.Points == 0 || atomicfile.Unchanged(w.input) != nil {
		return false
	}
	return sameSuperpoints(job.ReadRecord(w.input), &w.record)
}

// keepsReference reports whether no option replaces the spatial reference of the input, which had an effect
// on its superpoints.
func (w *work) keepsReference(about *pdalprocess.Schema) bool {
	isReplaced := w.record.Override != "" || w.newWKT || w.unwritable
	return !isReplaced && (about.HasWKT() || w.record.Default == "")
}

// sameSuperpoints reports whether a file that was made by one record has the superpoints that another asks
// for.
func sameSuperpoints(made, wanted *job.Record) bool {
	if made == nil || made.Where != "" || wanted.Where != "" {
		return false
	}
	// The stage would vote over the classes of the file.
	if wanted.Options["vote"] != "" && made.Options["classes"] != "" {
		return false
	}
	before, now := withoutClasses(made), withoutClasses(wanted)
	return before.Same(now)
}

// withoutClasses returns what of a record superpoints depend on, but for the points.
func withoutClasses(r *job.Record) *job.Record {
	of := &job.Record{Software: r.Software, Options: map[string]string{}, Content: map[string]string{}}
	for _, s := range option.Specs() {
		value, given := r.Options[s.Name]
		if isOfClasses := s.Name == "classes" || s.Needs == "classes"; given && !isOfClasses {
			of.Options[s.Name] = value
		}
	}
	for name, content := range r.Content {
		if name != "classes" {
			of.Content[name] = content
		}
	}
	return of
}

// logOfStage logs the warnings of a filter in this process as a stage does.
func (w *work) logOfStage(level int, text string) {
	if level == message.Warning {
		w.warn(text)
	}
}

// classify writes the result of an input whose superpoints are known, see known.
func (w *work) classify(f *known, from string, about *pdalprocess.Schema, outputs []las.Column) (
	written string, s *stage, err error) {
	l, records, err := w.open(from, about)
	if err != nil {
		return "", nil, err
	}
	columns, superpoints, err := w.readSuperpoints(f, records, outputs)
	if err != nil {
		return "", nil, err
	}
	run := steps.Run{Context: w.host.Context(), Step: w.Progress}
	classes, err := f.Classify(run, columns.View(), superpoints)
	if err != nil {
		return "", nil, err
	}
	values, err := w.writeOutputs(f, columns, classes, outputs)
	if err != nil {
		return "", nil, err
	}
	s = &stage{
		Points:      int64(len(columns.X)),
		Superpoints: int64(len(arrays.Values(superpoints.ID, isNone))),
		Method:      "superpoints of the input",
		Classes:     f.Classes(),
	}
	if err := w.checkCount(about, s.Points, int64(records.Count)); err != nil {
		return "", nil, err
	}
	written, err = w.join(l, records, values, outputs)
	return written, s, err
}

// isNone reports whether an id marks a point without a superpoint.
func isNone(id uint32) bool { return id == 0 }

// readSuperpoints reads the points of an input with its superpoints, and the outputs that it has. The ids are
// the first output.
func (w *work) readSuperpoints(f *known, records *las.File, outputs []las.Column) (
	columns *host.Columns, known land.Known, err error) {
	if columns, err = w.host.Read(records.Path, f.reads); err != nil {
		return nil, known, err
	}
	id := outputs[0].Name
	if known.ID, err = metrics.IDs(id, columns.Dimensions[id]); err != nil {
		return nil, known, err
	}
	known.Embedding, known.Dim = columns.Embedding(f.Embedding().Dim)
	return columns, known, nil
}

// writeOutputs writes rows of the outputs: the classes, and what the input has of others.
func (w *work) writeOutputs(f *known, columns *host.Columns, classes *filter.Segmentation,
	outputs []las.Column) (*las.File, error) {
	layout, put, err := las.RowsOf(outputs)
	if err != nil {
		return nil, err
	}
	values := make([][]float64, len(outputs))
	for k, o := range outputs {
		values[k] = columns.Dimensions[o.Name]
		if !slices.Contains(f.ClassOutputs(), o.Name) {
			continue
		}
		values[k] = make([]float64, len(columns.X))
		if err := classes.Output(o.Name, values[k]); err != nil {
			return nil, err
		}
	}
	path := filepath.Join(w.Folder, strings.TrimSuffix(columnsName, ".las")+"-classes.las")
	to, err := las.NewWriter(path, layout.Head)
	if err != nil {
		return nil, err
	}
	defer to.Discard()
	row := make([]byte, layout.Length)
	for i := range columns.X {
		for k := range outputs {
			put[k](row, values[k][i])
		}
		if err := to.Append(row); err != nil {
			return nil, err
		}
	}
	if err := to.Close(); err != nil {
		return nil, err
	}
	return las.Read(path)
}
