package train

import (
	"fmt"

	"superpoint/embed"
	"superpoint/embed/train/quantize"
	"superpoint/partition/base/parallel"
)

// Quantize makes the integer network of the model o.Base again from clouds, which need no
// labels, and writes the model. It logs, by file, the angles between embeddings of the
// float and of the integer network.
func Quantize(host Host, o Options) (*embed.Model, error) {
	m := o.Base
	run := parallel.Run{Context: host.Context(), Threads: o.Threads}
	s := &source{host: host, run: run}
	var names []string
	var inputs []*embed.Inputs
	err := s.each(o.Inputs, o.SkipBad, func(file string) error {
		c, _, err := s.points(file, m.Card, "", 0, nil)
		if err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
		names, inputs = append(names, c.name), append(inputs, c.channels)
		return nil
	})
	if err != nil {
		return nil, err
	}
	differences, err := quantize.Model(run, m, inputs)
	if err != nil {
		return nil, err
	}
	m.Card.Integer.Command = o.Command
	for i, d := range differences {
		host.Log(fmt.Sprintf("%s: integer embeddings are %.2f° from float ones on average, 99 %% within %.2f°", names[i],
			d.Mean, d.Most))
	}
	return m, save(m, o.Model)
}
