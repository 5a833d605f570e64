package train

import (
	"flag"
	"fmt"
	"io"
	"math"

	"superpoint/embed"
	"superpoint/embed/whole"
)

// published is the number of points a segment at which a card's figures stand.
const published = 100

// Publish measures a model and the hand-crafted features on labelled files and
// writes the model with these figures, and with the recipe's data and limits,
// in its card.
func Publish(host Host, args []string) error {
	f := flag.NewFlagSet("publish", flag.ContinueOnError)
	f.SetOutput(io.Discard)
	var inputs list
	model := f.String("model", "", "model file to publish")
	output := f.String("output", "", "model file to write")
	recipeFile := f.String("recipe", "", "the model's recipe")
	command := f.String("command", "", "that made the model, for the card")
	f.Var(&inputs, "input", "labelled files")
	if err := f.Parse(args); err != nil {
		return fmt.Errorf("publish: %w; options: %s", err, options(f))
	}
	m, err := readModel(*model)
	if err != nil {
		return err
	}
	recipe, err := readRecipe(*recipeFile)
	if err != nil {
		return err
	}
	c := &comparison{recipe: *recipe, knn: 0, alpha: -1}
	c.source = source{host: host, truth: "Classification"}
	c.source.run.Context = host.Context()
	if c.files, err = expand(inputs); err != nil {
		return err
	}
	files := whole.Files{Context: host.Context()}
	files.Input(append(c.files, *model, *recipeFile)...)
	to, err := files.Output(*output)
	if err != nil {
		return err
	}
	c.rivals = []*rival{{"", m, m.Card}, {geometric + " ", nil, geometricCard()}}
	if err := c.channels(); err != nil {
		return err
	}
	card := recipe.Card()
	card.Training = m.Card.Training
	card.Training.Data, card.Training.Limits = recipe.Data, recipe.Limits
	if *command != "" {
		card.Training.Command = *command
	}
	if card.Training.Figures, err = c.figures(); err != nil {
		return err
	}
	m.Card = card
	file, err := m.Save()
	if err != nil {
		return err
	}
	if _, err := embed.Load(file); err != nil {
		return err
	}
	return to.Write(func(w io.Writer) error {
		_, err := w.Write(file)
		return err
	})
}

// figures measures every rival on every file.
func (c *comparison) figures() (map[string]float64, error) {
	list := map[string]float64{}
	for _, file := range c.files {
		t, err := c.source.read(file, &c.recipe, 0)
		if err != nil {
			return nil, err
		}
		for _, r := range c.rivals {
			j, err := newJudge(t, r.card.Partition.AdjacencyKNN, c.source.run)
			if err != nil {
				return nil, err
			}
			e, dim, err := r.embed(c.source.run, t.input)
			if err != nil {
				return nil, err
			}
			cut, err := j.at(c.source.run, e, dim, published, settings{r.card.Partition.EdgeDecay, t.weight(&r.card.Partition), minimumShare})
			if err != nil {
				return nil, err
			}
			for name, v := range figures([]*judge{j}, []*partitioned{cut}, published) {
				list[r.name+name] = math.Round(10*v) / 10
			}
		}
	}
	return list, nil
}
