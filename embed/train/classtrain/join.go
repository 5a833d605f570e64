package classtrain

import (
	"fmt"
	"slices"
	"strings"

	"superpoint/embed/classes"
)

// join makes one network of several that were trained alike: they lie side by side in
// its layers, without weights between them, and its logits are the mean of theirs
// (an ensemble, Hansen and Salamon 1990, doi:10.1109/34.58871). Their features have
// one mean and deviation.
func join(models []*classes.Model) (*classes.Model, error) {
	one := models[0].Card
	card := *one
	card.Width, card.Weights = one.Width*len(models), ""
	if err := card.Validate(); err != nil {
		return nil, fmt.Errorf("%d networks side by side: %w", len(models), err)
	}
	joined, err := classes.New(&card)
	if err != nil {
		return nil, err
	}
	for _, t := range card.Tensors() {
		to := joined.Tensor(t.Name)
		for m, model := range models {
			from := model.Tensor(t.Name)
			switch {
			case t.Name == classes.MeanTensor || t.Name == classes.DeviationTensor:
				copy(to, from)
			case t.Name == "out.bias":
				for i, v := range from {
					to[i] += v / float32(len(models))
				}
			case strings.HasSuffix(t.Name, ".bias"):
				copy(to[m*one.Width:], from)
			default:
				place(to, t, from, m, len(models), one)
			}
		}
	}
	return joined, nil
}

// place puts a network's weights, inputs × outputs, among those of all. Inputs are
// features, which all share, or parts as wide as a layer, in each of which a network
// has its own; the outputs of the last layer are shared, too.
func place(to []float32, t classes.Tensor, from []float32, m, models int, one *classes.Card) {
	last, first := t.Name == "out.weight", t.Name == "in.weight"
	columns, share := one.Width, float32(1)
	if last {
		columns, share = len(one.Classes), 1/float32(models)
	}
	for i, row := range slices.Collect(slices.Chunk(from, columns)) {
		at := i
		if !first {
			at = (i/one.Width*models+m)*one.Width + i%one.Width
		}
		target := to[at*t.Shape[1]:]
		if !last {
			target = target[m*one.Width:]
		}
		for j, v := range row {
			target[j] = v * share
		}
	}
}
