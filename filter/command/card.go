package command

import (
	"errors"
	"io"
	"math"

	"superpoint/embed"
	"superpoint/embed/whole"
	"superpoint/filter/models"
)

// publish measures a model, and the hand-crafted features beside it, and writes
// the model with these figures in its card. It returns the rows of both.
func (e *evaluation) publish(files []string, to *whole.Output) (all []row, err error) {
	name := e.args.stage["model"].value
	if e.sweep != "target_size" || len(e.values) != 1 || e.id != "" {
		return nil, errors.New("option card: figures stand at one mean size; give it, for example target_size=100")
	}
	m, err := models.Find(name)
	if err != nil {
		return nil, err
	}
	m.Card.Training.Figures = map[string]float64{}
	for _, system := range []string{name, models.Geometric} {
		e.model = system
		rows, err := e.files(files)
		if err != nil {
			return nil, err
		}
		all = append(all, rows...)
		prefix := ""
		if system == models.Geometric {
			prefix = models.Geometric + " "
		}
		for _, r := range rows {
			for measure, v := range map[string]float64{"OOA": float64(r.OOA), "BR as coded": float64(r.BRAsCoded),
				"BP": float64(r.BP)} {
				if r.File != everyFile && !math.IsNaN(v) {
					m.Card.Training.Figures[prefix+embed.Figure(measure, e.values[0], r.File)] = math.Round(1000*v) / 10
				}
			}
		}
	}
	content, err := m.Save()
	if err != nil {
		return nil, err
	}
	return all, to.Write(func(w io.Writer) error { _, err := w.Write(content); return err })
}
