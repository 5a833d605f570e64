package batch

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"superpoint/embed/atomicfile"
	"superpoint/filter/host"
	"superpoint/filter/records"
	"superpoint/pipelines/files/child"
)

// Annotate writes a copy of a LAS or LAZ file with a dimension whose value of point i is values[i]. All else,
// also the provenance record, is copied.
func Annotate(h host.Host, input string, to *atomicfile.Output, dimension string, values []uint32) error {
	input, err := filepath.Abs(input) // pdal runs in another folder
	if err != nil {
		return err
	}
	w := &work{segmenter: &segmenter{host: h}, task: task{input: input, output: to.Path(), to: to}}
	if err := records.CheckWhole(input); err != nil {
		return err
	}
	undo, err := atomicfile.Folder(filepath.Dir(w.output))
	if err != nil {
		return err
	}
	defer undo()
	return to.File(func(temporary string) error {
		w.Process = child.Process{Folder: filepath.Dir(temporary), Warn: w.warnOnce()}
		written, err := w.annotate(child.Field{Name: dimension, Type: "uint32"}, values)
		if err != nil {
			return err
		}
		if made := new(json.RawMessage); records.Made(input, made) {
			if err := records.SetMade(written, made); err != nil {
				return err
			}
		}
		return atomicfile.Move(written, temporary)
	})
}

// annotate writes the copy in the working folder and returns its path.
func (w *work) annotate(field child.Field, values []uint32) (string, error) {
	from, err := w.plainName()
	if err != nil {
		return "", err
	}
	about, err := w.Schema(w.host.Context(), from)
	if err != nil {
		return "", err
	}
	l := w.lasWriter(about, []child.Field{field})
	stages := []any{w.reader(from, about)}
	if slices.Contains(about.Names(), field.Name) { // values of others may not fit the type
		stages = append(stages, map[string]any{"type": "filters.assign", "assignment": field.Name + "[:]=0"})
	} else {
		stages = append(stages, map[string]any{"type": "filters.ferry", "dimensions": "=>" + field.Name})
	}
	const plain, annotated = "plain.las", "annotated.las"
	if err := w.Pipeline(w.host.Context(), append(stages, l(plain))); err != nil {
		return "", err
	}
	if err := put(filepath.Join(w.Folder, plain), filepath.Join(w.Folder, annotated), field.Name, values); err != nil {
		return "", err
	}
	written, err := w.pack(l, annotated)
	if err == nil && isUnpacked(written) && !isUnpacked(w.output) {
		err = errors.New(child.CannotPack)
	}
	return filepath.Join(w.Folder, written), err
}

// put copies a LAS file and sets an extra dimension.
func put(from, to, dimension string, values []uint32) error {
	l, err := records.Read(from)
	if err != nil {
		return err
	}
	at, known := l.Extra[dimension]
	if !known || l.Count != len(values) {
		return fmt.Errorf("%d points with dimension %s were to be written, %d are (is the disk full?)", len(values),
			dimension, l.Count)
	}
	_, _, err = l.Copy(to, func(i int, record []byte) (bool, error) {
		binary.LittleEndian.PutUint32(record[at:], values[i])
		return true, nil
	})
	return err
}
