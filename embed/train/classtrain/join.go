package classtrain

import (
	"fmt"
	"slices"
	"strings"

	"superpoint/embed/classes"
)

// join makes one model of several that were trained alike: the networks lie side by
// side, and its logits are the mean of theirs. Their features have one mean and
// deviation.
func join(models []*classes.Model) (*classes.Model, error) {
	one := models[0].Card
	card := *one
	card.Networks, card.Weights = len(models), ""
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
			case strings.HasPrefix(t.Name, "round."):
				copy(to[m*len(from):], from)
			default:
				place(to, t, from, m, one)
			}
		}
	}
	return joined, nil
}

// place puts the weights of a network's first or last layer, inputs × outputs, among
// those of all. All share the inputs of the first and the outputs of the last, which
// reads two layers, in each of which a network has its own part.
func place(to []float32, t classes.Tensor, from []float32, m int, one *classes.Card) {
	if t.Name == "in.weight" {
		for i, row := range slices.Collect(slices.Chunk(from, one.Width)) {
			copy(to[i*t.Shape[1]+m*one.Width:], row)
		}
		return
	}
	models := t.Shape[0] / (2 * one.Width)
	for i, row := range slices.Collect(slices.Chunk(from, len(one.Classes))) {
		at := (i/one.Width*models+m)*one.Width + i%one.Width
		for j, v := range row {
			to[at*t.Shape[1]+j] = v / float32(models)
		}
	}
}
