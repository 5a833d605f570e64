package command

import (
	"superpoint/filter"
	"superpoint/partition/metrics"
)

func (e *evaluation) measureIDs(run filter.Run, base string, w *filter.Workspace) ([]row, error) {
	id, err := metrics.IDs(e.id, w.View.Dimensions[e.id])
	if err != nil {
		return nil, err
	}
	report, err := w.Measure(run, filter.MetricsKNN, id, e.class, e.object)
	if err != nil {
		return nil, err
	}
	return []row{newRow(base, e.id, "", "", report.Counts, 0)}, nil
}

func (e *evaluation) segment(run filter.Run, base string, w *filter.Workspace, k int) (row, error) {
	options, err := e.args.options(e.at(k))
	if err != nil {
		return row{}, err
	}
	f, err := filter.New(options, e.host.Log)
	if err != nil {
		return row{}, err
	}
	s, err := f.SegmentIn(run, w)
	if err != nil {
		return row{}, err
	}
	summary := f.Summary()
	report, err := w.Measure(run, filter.MetricsKNN, s.ID, e.class, e.object)
	if err != nil {
		return row{}, err
	}
	setting := ""
	if e.sweep != "" {
		setting = e.sweep + "=" + e.values[k]
	}
	return newRow(base, summary.Method, summary.Model, setting, report.Counts, summary.Seconds["total"]), nil
}
