package quantize_test

import (
	"fmt"

	"superpoint/embed"
	"superpoint/embed/quantize"
	"superpoint/partition/parallel"
)

// A model gets an integer network from a cloud.
func ExampleModel() {
	m, err := embed.NewModel(embed.PaperCard())
	if err != nil {
		panic(err)
	}
	m.Randomize(1)
	in, err := stairs(300, 0.1)
	if err != nil {
		panic(err)
	}
	grey := make([]float32, in.Cloud.Len())
	in.Attributes = map[string][]float32{"Red": grey, "Green": grey, "Blue": grey}
	inputs, err := embed.NewInputs(parallel.Run{}, m.Card, in)
	if err != nil {
		panic(err)
	}
	_, err = quantize.Model(parallel.Run{}, m, []*embed.Inputs{inputs})
	fmt.Println(m.Card.Integer.Weights, "bits,", len(m.Integers()), "layers,", err)
	// Output: 8 bits, 11 layers, <nil>
}
