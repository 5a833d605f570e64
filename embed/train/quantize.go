package train

import (
	"fmt"
	"math"
	"slices"

	"superpoint/embed"
	"superpoint/embed/lpe"
	"superpoint/embed/quantize"
	"superpoint/embed/whole"
	"superpoint/partition/parallel"
)

// Quantize makes the integer network of the model o.Base anew from clouds, which need no
// labels, and writes the model. It logs, by file, the angles between the embeddings of
// the float and of the integer network.
func Quantize(host Host, o Options) (*embed.Model, error) {
	files := &whole.Files{Context: host.Context()}
	files.Input(o.Inputs...)
	files.Input(o.Base)
	out, err := files.Output(o.Output)
	if err != nil {
		return nil, fmt.Errorf("train: --output %s: the model: %w", o.Output, err)
	}
	m, err := readModel(o.Base)
	if err != nil {
		return nil, err
	}
	m.DropIntegers()
	run := parallel.Run{Context: host.Context(), Threads: o.Threads}
	s := &source{host: host, run: run}
	var clouds []*labelled
	var inputs []*embed.Inputs
	for i, f := range o.Inputs {
		host.Progress("reading", float64(i)/float64(len(o.Inputs)))
		c, _, err := s.points(f, m.Card, "", 0, nil)
		if err != nil && o.SkipBad && run.Err() == nil {
			host.Log(fmt.Sprintf("left out: %s: %v", f, err))
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", f, err)
		}
		clouds, inputs = append(clouds, c), append(inputs, c.channels)
	}
	float, err := lpe.New(m)
	if err != nil {
		return nil, err
	}
	if err := quantize.Model(run, m, inputs); err != nil {
		return nil, fmt.Errorf("train: %w", err)
	}
	m.Card.Integer.Command = o.Command
	if err := compare(host, run, float, m, clouds); err != nil {
		return nil, err
	}
	return m, save(m, out)
}

// compare logs by how much the integer network's embeddings differ.
func compare(host Host, run parallel.Run, float *lpe.Embedder, m *embed.Model, clouds []*labelled) error {
	whole, err := lpe.New(m)
	if err != nil {
		return err
	}
	for _, c := range clouds {
		want, err := float.Embed(run, c.input)
		if err != nil {
			return err
		}
		got, err := whole.Embed(run, c.input)
		if err != nil {
			return err
		}
		mean, most := angles(got, want, whole.Dim())
		host.Log(fmt.Sprintf("%s: integer embeddings are %.2f° from float ones on average, 99 %% within %.2f°", c.name, mean,
			most))
	}
	return nil
}

// angles returns the mean and the 99 % quantile of the angles between vectors of length
// 1, in degrees.
func angles(a, b []float32, dim int) (mean, most float64) {
	list := make([]float64, 0, len(a)/dim)
	for i := 0; i < len(a); i += dim {
		square := 0.0
		for d := range dim {
			square += math.Pow(float64(a[i+d])-float64(b[i+d]), 2)
		}
		angle := 2 * math.Asin(min(math.Sqrt(square)/2, 1)) * 180 / math.Pi
		list, mean = append(list, angle), mean+angle/float64(len(a)/dim)
	}
	slices.Sort(list)
	return mean, list[len(list)*99/100]
}
