// SPDX-License-Identifier: BSD-3-Clause

package metrics

// Scores are the metrics, each a share (1 = 100 %).
type Scores struct {
	OOA                    Ratio `json:"ooa"`
	UndersegmentationError Ratio `json:"undersegmentation_error"`
	BRAsPrinted            Ratio `json:"br_as_printed"`
	BRAsCoded              Ratio `json:"br_as_coded"`
	BP                     Ratio `json:"bp"`
}

// Score is one of the metrics.
type Score struct {
	Name  string                 // in JSON, CSV and metadata
	Label string                 // column heading in tables
	Help  string                 // full name
	Field func(s *Scores) *Ratio // its field
	of    func(c *Counts) Ratio  // its value for given counts
}

// BRPrinted names boundary recall by the formula that the paper prints: confirmed predicted edges over true
// edges. Several predicted edges confirm one true edge, so it may exceed 1.
const BRPrinted = "br_as_printed"

// Table lists the metrics in the order of the columns of tables. To add one, add a row here and a field of
// Scores.
func Table() []Score {
	return []Score{
		{"ooa", "OOA", "oracle overall accuracy",
			func(s *Scores) *Ratio { return &s.OOA },
			func(c *Counts) Ratio { return ratio(c.Pure, c.Classified) }},
		{"br_as_coded", "BR", "boundary recall, as the authors' code computes it",
			func(s *Scores) *Ratio { return &s.BRAsCoded },
			func(c *Counts) Ratio { return ratio(c.TrueFound, c.TrueEdges) }},
		{BRPrinted, "BR printed",
			"boundary recall, as the paper prints it: every predicted edge beside a true one counts",
			func(s *Scores) *Ratio { return &s.BRAsPrinted },
			func(c *Counts) Ratio { return ratio(c.PredictedGood, c.TrueEdges) }},
		{"bp", "BP", "boundary precision",
			func(s *Scores) *Ratio { return &s.BP },
			func(c *Counts) Ratio { return ratio(c.PredictedGood, c.Predicted) }},
		{"undersegmentation_error", "UE", "undersegmentation error",
			func(s *Scores) *Ratio { return &s.UndersegmentationError },
			func(c *Counts) Ratio { return ratio(c.InObject-c.Overlap, c.InObject) }},
	}
}

// Scores computes the metrics from the counts.
func (c Counts) Scores() (s Scores) {
	for _, row := range Table() {
		*row.Field(&s) = row.of(&c)
	}
	return s
}

// F is the harmonic mean of boundary recall, as the authors' code computes it, and
// boundary precision. Recall alone increases with the number of segments.
func (s Scores) F() Ratio {
	if s.BRAsCoded+s.BP == 0 {
		return 0
	}
	return 2 * s.BRAsCoded * s.BP / (s.BRAsCoded + s.BP)
}

// Labels are the labels of all metrics.
func Labels() (all []string) {
	for _, row := range Table() {
		all = append(all, row.Label)
	}
	return all
}

// Cells returns the metrics as the cells of a row, in the order of Table.
func (s Scores) Cells(write func(r Ratio) string) (all []string) {
	for _, row := range Table() {
		all = append(all, write(*row.Field(&s)))
	}
	return all
}
