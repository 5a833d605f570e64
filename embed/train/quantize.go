// SPDX-License-Identifier: BSD-3-Clause

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
	clouds, err := s.each(o.Inputs, o.SkipBad, func(file string) (*labelled, error) {
		c, _, err := s.points(file, m.Card, "", 0, 0)
		return c, err
	})
	if err != nil {
		return nil, err
	}
	var inputs []*embed.Inputs
	for _, c := range clouds {
		inputs = append(inputs, c.channels)
	}
	differences, err := quantize.Model(run, m, inputs)
	if err != nil {
		return nil, err
	}
	m.Card.Integer.Command = o.Command
	for i, d := range differences {
		host.Log(fmt.Sprintf("%s: integer embeddings are %.2f° from float ones on average, 99 %% within %.2f°",
			clouds[i].name, d.Mean, d.Most))
	}
	return m, save(m, o.Model)
}
