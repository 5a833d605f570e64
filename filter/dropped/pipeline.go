package dropped

import (
	"encoding/json"
	"os"
)

// stage is a stage of a pipeline; a string is one that names a file.
type stage struct {
	Type, Filename string
	Inputs         any
	Extra          string // as text; a list is joined
}

// UnmarshalJSON reads either form.
func (s *stage) UnmarshalJSON(text []byte) error {
	if json.Unmarshal(text, &s.Filename) == nil {
		return nil
	}
	var o struct {
		Type, Filename string
		Inputs         any
		Extra          any `json:"extra_dims"`
	}
	if err := json.Unmarshal(text, &o); err != nil {
		return err
	}
	s.Type, s.Filename, s.Inputs = o.Type, o.Filename, o.Inputs
	switch e := o.Extra.(type) {
	case nil:
	case string:
		s.Extra = e
	default:
		s.Extra = "all" // not understood: nothing is said
	}
	return nil
}

// piped returns the writer that follows the stage in the file of `pdal pipeline
// FILE`.
func piped(a *arguments) *writer {
	path := a.first("input", "i")
	if path == "" && len(a.files) > 0 {
		path = a.files[0]
	}
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
		return nil // standard input, or an error that pdal will tell
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil
	}
	stages := stagesOf(text)
	for k := len(stages) - 2; k >= 0; k-- {
		if next := stages[k+1]; stages[k].Type == "filters.superpoint" && next.Inputs == nil {
			w := &writer{driver: next.Type, file: next.Filename, extra: next.Extra}
			if w.driver == "" {
				w.driver = driverOf(w.file)
			}
			return a.override(w)
		}
	}
	return nil
}

// stagesOf reads a pipeline in either of the forms that pdal knows; nil if it
// cannot.
func stagesOf(text []byte) (list []stage) {
	var whole struct{ Pipeline []stage }
	if json.Unmarshal(text, &list) == nil {
		return list
	}
	if json.Unmarshal(text, &whole) == nil {
		return whole.Pipeline
	}
	return nil
}
