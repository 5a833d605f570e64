package backprop_test

import (
	"fmt"

	"superpoint/embed"
	"superpoint/embed/train/backprop"
)

// The parameters of the paper's network.
func ExampleNewPlain() {
	card := embed.PaperCard()
	net, err := backprop.NewPlain[float64](card)
	if err != nil {
		panic(err)
	}
	model, err := embed.NewModel(card)
	if err != nil {
		panic(err)
	}
	model.Randomize(1)
	params, _ := net.Import(model)
	fmt.Println(len(params), "parameters, embeddings of", net.Dim())
	// Output: 13816 parameters, embeddings of 4
}
