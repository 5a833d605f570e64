// SPDX-License-Identifier: BSD-3-Clause

package segment

import (
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"superpoint/filter/georef"
	"superpoint/filter/message"
	"superpoint/pipelines/files/atomicfile"
	"superpoint/pipelines/files/las"
	"superpoint/pipelines/files/pdalprocess"
	"superpoint/pipelines/files/sources"
	"superpoint/pipelines/job"
)

// errElsewhere reports that the result has another name than the requested one.
var errElsewhere = errors.New("the result is written elsewhere")

// file runs one task.
func (s *segmenter) file(t task, progress func(step string, fraction float64)) *segmented {
	done := &segmented{Input: t.input, Output: t.output}
	start := time.Now()
	var made result
	done.err = t.to.File(func(temporary string) error {
		folder := filepath.Dir(temporary)
		err := job.Pin(folder, []string{t.input}, func(inputs []job.Pinned) (err error) {
			made, err = s.try(t, inputs[0], folder, progress)
			return err
		})
		if err != nil {
			return err
		}
		done.fill(made, start)
		if made.columns != "" {
			if made.columns, err = s.Columns.hold(made.columns); err != nil {
				return err
			}
		}
		if isUnpacked(made.path) && !isUnpacked(t.output) {
			done.Output = t.unpacked()
			return s.writeUnpacked(t, made.path)
		}
		return atomicfile.Move(made.path, temporary)
	})
	if errors.Is(done.err, errElsewhere) {
		done.err = nil
	}
	if made.columns != "" && done.err == nil {
		done.err = s.Columns.add(done.Output, made.columns, made.points)
	}
	return done
}

// result is a complete file that has not its place yet.
type result struct {
	path    string
	points  int64
	stage   *stage
	columns string // see Columns; "" if there are none
}

// try makes the result of an input in a new folder, with a record of what was read.
func (s *segmenter) try(t task, input job.Pinned, parent string,
	progress func(step string, fraction float64)) (
	made result, err error) {
	folder, err := atomicfile.Within(parent, "try-")
	if err != nil {
		return made, err
	}
	t.input = input.Read
	t.record.Source = input.Content
	w := &work{segmenter: s, task: t}
	w.Process = pdalprocess.Process{
		Folder:    folder,
		Progress:  progress,
		Warn:      w.warn,
		Companion: t.companion,
	}
	made.path, made.stage, err = w.segment()
	if err != nil {
		return made, s.pinned.Named(err)
	}
	made.points = w.points
	if w.hasColumns {
		made.columns = filepath.Join(folder, columnsName)
	}
	return made, t.record.Write(made.path)
}

// warn logs a warning of the stages. That a tile has no selected points is usual, and in the line about it.
func (w *work) warn(text string) {
	if w.selects() && strings.HasPrefix(text, "nothing to segment") {
		return
	}
	w.host.Log(message.Warning, filepath.Base(w.input)+": "+text)
}

// inspect returns a name of the input by which pdal can read it, its metadata and its spatial reference.
func (w *work) inspect() (from string, about *pdalprocess.Schema, r georef.Reference, err error) {
	if err = sources.CheckCloud(w.input); err != nil {
		return "", nil, r, err
	}
	if from, err = w.PlainName(w.input, "input"); err != nil {
		return "", nil, r, err
	}
	if about, err = w.Schema(w.host.Context(), from); err != nil {
		return "", nil, r, err
	}
	if r, err = about.Reference(w.host); err == nil {
		r, w.override, err = w.References.Of(w.host, r)
	}
	if err == nil && r.OnlyWKT2 {
		err = w.keepReference(about, r)
	}
	return from, about, r, err
}

// keepReference has the result keep a reference that PDAL cannot write. It fails if the input has no record
// of it.
func (w *work) keepReference(about *pdalprocess.Schema, r georef.Reference) error {
	w.unwritable = true
	if w.override == "" && about.HasWKT() {
		return nil
	}
	return fmt.Errorf(
		"the spatial reference %s: PDAL cannot write it, as well-known text 1 has none of its kind; set one "+
			"that it has with %s, for example EPSG:4326 in place of EPSG:4979", r.Name, georef.Override)
}

// segment runs the pipeline and returns its output file and the metadata of the stage.
func (w *work) segment() (written string, s *stage, err error) {
	from, about, stated, err := w.inspect()
	if err != nil {
		return "", nil, err
	}
	w.newWKT = w.override != "" || about.GeoKeys() != "" // not all versions of PDAL read keys of LAS 1.4
	inputs, outputs, err := w.dimensions(about)
	if err != nil {
		return "", nil, err
	}
	if w.inArea, err = w.stagesOfArea(stated); err != nil {
		return "", nil, err
	}
	f, err := w.known(about, outputs)
	if err != nil {
		return "", nil, err
	}
	if f != nil {
		return w.classify(f, from, about, outputs)
	}
	l, reader, writer, err := w.direct(from, about, inputs, outputs)
	if err != nil {
		return "", nil, err
	}
	var values *las.File // outputs of a run whose result PDAL refused to pack
	if writer != nil {
		written, s, values, err = w.writeDirectly(about, l, reader, writer, outputs)
		if !pdalprocess.RefusedToPack(err) {
			return written, s, err
		}
		w.refused.Store(true)
	}
	l, records, err := w.open(from, about)
	if err != nil {
		return "", nil, err
	}
	if l.Packed() {
		from = filepath.Base(records.Path) // the stage gets the points in the same order
	}
	if values == nil {
		outputsTo := outputsWriter(about.Format(), outputs)
		w.place(outputsTo, records)
		s, err = w.run(w.reading(from, about), outputsTo)
		if err == nil {
			values, err = w.Written(columnsName)
		}
	}
	if err == nil {
		err = w.checkCount(about, s.Points, int64(records.Count))
	}
	if err == nil {
		written, err = w.join(l, records, values, outputs)
	}
	return written, s, err
}

// writeDirectly has PDAL write the result, and returns its path. If columns are wanted, it writes these
// before: their file is returned with the error if PDAL refuses to pack the result, so that the stage need
// not run again.
func (w *work) writeDirectly(about *pdalprocess.Schema, l *las.File, reader, writer pdalprocess.Stage,
	outputs []las.Column) (written string, s *stage, values *las.File, err error) {
	writers := []pdalprocess.Stage{writer}
	columns := outputsWriter(about.Format(), outputs)
	if w.place(columns, l); w.hasColumns {
		writers = []pdalprocess.Stage{columns, writer}
	}
	s, err = w.run([]pdalprocess.Stage{reader}, writers...)
	if pdalprocess.RefusedToPack(err) && s != nil && w.hasColumns {
		if values, written := w.Written(columnsName); written == nil {
			return "", s, values, err
		}
	}
	if err != nil {
		return "", nil, nil, err
	}
	made, err := w.Written(writer["filename"])
	if err == nil {
		err = w.checkCount(about, s.Points, int64(made.Count))
	}
	if err == nil {
		written, err = w.restore(l, made, outputs)
	}
	return written, s, nil, err
}

// run runs the stage on what other stages read, and writers. It returns the metadata of the stage, also if a
// writer fails.
func (w *work) run(reading []pdalprocess.Stage, writers ...pdalprocess.Stage) (s *stage, err error) {
	if w.unwritable {
		for _, writer := range writers {
			writer["a_srs"] = pdalprocess.AnyReference
		}
	}
	p := w.Process
	p.Stage = func(metadata []byte) { s, _ = parseStage(metadata) }
	stages := append(slices.Concat(reading, w.inArea), w.stage())
	metadata, err := p.Metadata(w.host.Context(), append(stages, writers...))
	if err != nil {
		return s, err
	}
	return stageOf(metadata)
}

// reading returns the stages that read the input. If points are selected, those without finite coordinates
// are left out of files that are no LAS, because LAS, and so the result, cannot hold them.
func (w *work) reading(from string, about *pdalprocess.Schema) []pdalprocess.Stage {
	stages := []pdalprocess.Stage{w.reader(from, about)}
	if w.leavesOut(about) {
		const all = "[-1e300,1e300]" // contains no NaN
		stages = append(stages, pdalprocess.Stage{"type": "filters.crop",
			"bounds": "(" + all + "," + all + "," + all + ")"})
	}
	return stages
}

func (w *work) leavesOut(about *pdalprocess.Schema) bool { return w.selects() && !w.isLAS(about) }

func (w *work) reader(from string, about *pdalprocess.Schema) pdalprocess.Stage {
	r := pdalprocess.Stage{"type": about.Reader, "filename": from}
	if sources.IsLAS(from) || w.isLAS(about) {
		// also COPC, to have the order of its records
		r["type"], r[pdalprocess.DescribedBytes] = "readers.las", "true"
	}
	if w.override != "" {
		r["override_srs"] = w.override
	}
	return r
}

func (w *work) stage() pdalprocess.Stage {
	s := pdalprocess.Stage{"type": "filters.superpoint"}
	maps.Copy(s, w.Options)
	if w.threads > 0 {
		s["threads"] = strconv.Itoa(w.threads)
	}
	if w.selects() {
		s["where"] = w.selection()
	}
	return s
}

// checkCount fails if the stage has not seen all points, unless some are selected, or if there are not as
// many as the file has. It warns of those left out, and sets w.points.
func (w *work) checkCount(about *pdalprocess.Schema, seen, all int64) error {
	w.points = all
	if !w.selects() && seen != all {
		return sources.CheckCount(seen, all)
	}
	if lost := about.Points - all; w.leavesOut(about) && lost > 0 {
		w.Warn(message.Count(lost, "point") + " without finite coordinates left out, which LAS cannot hold")
		return nil
	}
	return sources.CheckCount(all, about.Points)
}

// writeUnpacked writes the result as LAS and returns errElsewhere. It fails if another input made that file.
func (s *segmenter) writeUnpacked(t task, written string) error {
	to := t.unpacked()
	old, now := job.ReadRecord(to), job.ReadRecord(written)
	if old != nil && (now == nil || old.Source != now.Source) {
		return fmt.Errorf("%s, and %s exists, made from another input; name another output",
			pdalprocess.CannotPack, to)
	}
	s.lock.Lock()
	files := *s.Files
	files.Force = false // it names another file
	beside, err := files.Output(to)
	s.lock.Unlock()
	if err == nil {
		err = beside.File(func(temporary string) error { return atomicfile.Move(written, temporary) })
	}
	if err != nil {
		return err
	}
	s.host.Log(
		message.Warning,
		fmt.Sprintf("%s: %s; the result is %s", filepath.Base(t.input), pdalprocess.CannotPack, to),
	)
	return errElsewhere
}
