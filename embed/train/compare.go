package train

import (
	"flag"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"superpoint/embed"
	"superpoint/embed/lpe"
	"superpoint/embed/ranged"
	"superpoint/partition/parallel"
)

// geometric names the hand-crafted features that models are compared with.
const geometric = "geometric"

// geometricCard describes linearity, planarity, scattering (Demantké et al.
// 2011), verticality and elevation (Guinard and Landrieu 2017), as the filter's
// model of that name has them.
func geometricCard() *embed.Card {
	return &embed.Card{
		Inputs: embed.Channels{Neighbors: 20, Neighbor: []string{"x", "y", "z"},
			Point: []string{"linearity", "planarity", "scattering", "verticality", "elevation"}},
		Partition: embed.DefaultPartition(),
	}
}

// elevationScale is the height in metres that counts as much as a full change
// of any other hand-crafted feature.
const elevationScale = 20

// handcrafted embeds a cloud by geometricCard.
func handcrafted(run parallel.Run, in *embed.Input) ([]float32, error) {
	card := geometricCard()
	inputs, err := embed.NewInputs(run, card, in)
	if err != nil {
		return nil, err
	}
	m := inputs.PointChannels
	out, set := make([]float32, inputs.Len()*m), make([]float32, inputs.Neighbors*inputs.NeighborChannels)
	for i := range inputs.Len() {
		inputs.Gather(i, set, out[i*m:(i+1)*m])
		out[(i+1)*m-1] /= elevationScale
	}
	return out, nil
}

// rival is one way to embed, for a comparison.
type rival struct {
	name  string
	model *embed.Model // nil for geometric
	card  *embed.Card
}

func loadRival(name string) (*rival, error) {
	if name == geometric {
		return &rival{name: name, card: geometricCard()}, nil
	}
	if slices.Contains(embed.Builtins(), name) {
		m, err := embed.Builtin(name)
		if err != nil {
			return nil, err
		}
		return &rival{name, m, m.Card}, nil
	}
	m, err := readModel(name)
	if err != nil {
		return nil, err
	}
	return &rival{name, m, m.Card}, nil
}

func (r *rival) embed(run parallel.Run, in *embed.Input) (e []float32, dim int, err error) {
	if r.model == nil {
		e, err = handcrafted(run, in)
		return e, len(r.card.Inputs.Point), err
	}
	l, err := lpe.New(r.model)
	if err != nil {
		return nil, 0, err
	}
	e, err = l.Embed(run, in)
	return e, l.Dim(), err
}

// comparison holds the options of Compare.
type comparison struct {
	files   []string
	rivals  []*rival
	targets []int
	knn     int     // of the adjacency graph of all, 0 for each card's own
	alpha   float64 // spatial weight of all, below 0 for each card's own
	sigma   float64 // edge decay of all, 0 for each card's own
	minimum float64 // smallest segment as a share of the wanted mean size
	source  source
	recipe  Recipe // for its truth and groups
}

// Compare measures models and the hand-crafted features on labelled files, all
// under the same solver and with about the same numbers of segments, and prints
// a table in Markdown.
func Compare(host Host, args []string) error {
	c, err := parseComparison(host, args)
	if err != nil {
		return err
	}
	out := host.Stdout()
	fmt.Fprintln(out, "| file | points a segment | model | segments | pieces | OOA | BR as coded | BR as printed | BP | undersegmentation | λ̃ |")
	fmt.Fprintln(out, "|---|---|---|---|---|---|---|---|---|---|---|")
	sum := map[string][]float64{}
	for _, f := range c.files {
		if err := c.file(out, f, sum); err != nil {
			return err
		}
	}
	fmt.Fprintln(out, "\n| points a segment | model | mean OOA | mean BR as coded | mean BP |\n|---|---|---|---|---|")
	for _, target := range c.targets {
		for _, r := range c.rivals {
			s := sum[key(r, target)]
			fmt.Fprintf(out, "| %d | %s | %.2f | %.1f | %.1f |\n", target, r.name, s[0]/s[3], s[1]/s[3], s[2]/s[3])
		}
	}
	return nil
}

func key(r *rival, target int) string { return fmt.Sprint(r.name, " ", target) }

// file measures one file.
func (c *comparison) file(out io.Writer, file string, sum map[string][]float64) error {
	t, err := c.source.read(file, &c.recipe, 0)
	if err != nil {
		return err
	}
	for _, r := range c.rivals {
		knn, s := r.card.Partition.AdjacencyKNN, settings{r.card.Partition.EdgeDecay, t.weight(&r.card.Partition), c.minimum}
		if c.knn > 0 {
			knn = c.knn
		}
		if c.sigma > 0 {
			s.sigma = c.sigma
		}
		if c.alpha >= 0 {
			s.alpha = c.alpha
		}
		j, err := newJudge(t, knn, c.source.run)
		if err != nil {
			return err
		}
		e, dim, err := r.embed(c.source.run, t.input)
		if err != nil {
			return err
		}
		for _, target := range c.targets {
			cut, err := j.at(c.source.run, e, dim, target, s)
			if err != nil {
				return err
			}
			fmt.Fprintf(out, "| %s | %d | %s | %d | %d | %.2f | %.1f | %.1f | %.1f | %.2f | %.3g |\n", t.name, target, r.name, cut.Counts.Segments,
				cut.Counts.Pieces, 100*cut.OOA, 100*cut.BRAsCoded, 100*cut.BRAsPrinted, 100*cut.BP, 100*cut.UndersegmentationError, cut.Strength)
			if sum[key(r, target)] == nil {
				sum[key(r, target)] = make([]float64, 4)
			}
			for i, v := range []float64{100 * float64(cut.OOA), 100 * float64(cut.BRAsCoded), 100 * float64(cut.BP), 1} {
				sum[key(r, target)][i] += v
			}
		}
	}
	return nil
}

// weight returns a card's spatial weight per metre as the tile's channels have
// them.
func (t *tile) weight(p *embed.Partition) float64 {
	if p.SpacingWeight > 0 {
		return p.SpacingWeight / t.channels.Cloud().Spacing(t.lists)
	}
	return p.SpatialWeight / t.channels.Scale()
}

func parseComparison(host Host, args []string) (*comparison, error) {
	var inputs, models list
	targets := list{}
	c := &comparison{}
	var recipe string
	var threads int
	f := flag.NewFlagSet("measure", flag.ContinueOnError)
	f.SetOutput(io.Discard)
	f.Var(&inputs, "input", "labelled files")
	f.Var(&models, "model", "model files, names of built-in models, or geometric")
	f.Var(&targets, "target", "mean points per segment, several with commas")
	ranged.Int(f, &c.knn, "knn", 0, 0, 64, "neighbours in the adjacency graph; 0 takes each model's own")
	ranged.Float(f, &c.alpha, "spatial-weight", -1, -1, 1e6, "per metre; below 0 takes each model's own")
	ranged.Float(f, &c.sigma, "edge-decay", 0, 0, 1e6, "σ; 0 takes each model's own")
	ranged.Float(f, &c.minimum, "minimum", minimumShare, 0, 1, "smallest segment as a share of the wanted mean size")
	f.StringVar(&recipe, "recipe", "", "recipe whose truth and groups say what the objects are")
	f.StringVar(&c.source.truth, "truth", "Classification", "dimension with class codes")
	f.StringVar(&c.source.instances, "instances", "", "dimension with object numbers")
	ranged.Int(f, &threads, "threads", 0, 0, 4096, "threads, 0 for all")
	if err := f.Parse(args); err != nil {
		return nil, fmt.Errorf("measure: %w; options: %s", err, options(f))
	}
	c.source.host, c.source.run = host, parallel.Run{Context: host.Context(), Threads: threads}
	if len(targets) == 0 {
		targets = list{"50", "100", "200", "400"}
	}
	for _, t := range targets {
		n, err := strconv.Atoi(t)
		if err != nil || n < 2 {
			return nil, fmt.Errorf("measure: target %q; give whole numbers of points, at least 2", t)
		}
		c.targets = append(c.targets, n)
	}
	for _, name := range models {
		r, err := loadRival(name)
		if err != nil {
			return nil, err
		}
		c.rivals = append(c.rivals, r)
	}
	var err error
	if c.files, err = expand(inputs); err != nil {
		return nil, err
	}
	r, err := readRecipe(recipe)
	if err != nil {
		return nil, err
	}
	c.recipe = *r
	return c, c.channels()
}

// channels makes the recipe's card read every dimension that a model needs.
func (c *comparison) channels() error {
	ch := &c.recipe.Inputs
	ch.Neighbor, ch.Point = []string{"x", "y", "z"}, nil
	for _, r := range c.rivals {
		ch.Neighbors = max(ch.Neighbors, r.card.Inputs.Neighbors)
		for _, name := range append(slices.Clone(r.card.Inputs.Neighbor), r.card.Inputs.Point...) {
			name = strings.TrimPrefix(name, "d_")
			if slices.Contains(embed.PointChannelNames(), name) && !slices.Contains(ch.Point, name) && !strings.HasPrefix(name, "omega") {
				ch.Point = append(ch.Point, name)
			}
		}
	}
	return c.recipe.Validate()
}

// Info prints the cards of model files or built-in models.
func Info(host Host, args []string) error {
	if len(args) == 0 {
		args = embed.Builtins()
	}
	for _, name := range args {
		r, err := loadRival(name)
		if err != nil {
			return err
		}
		if r.model == nil {
			fmt.Fprintf(host.Stdout(), "%s: hand-crafted features %v\n", name, r.card.Inputs.Point)
			continue
		}
		text, err := r.card.YAML()
		if err != nil {
			return err
		}
		fmt.Fprintf(host.Stdout(), "# %s (%s): %d parameters\n%s", name, r.model.Sum(), r.card.Parameters(), text)
	}
	return nil
}

// Run runs one of the training commands: train, measure, publish or info.
func Run(host Host, args []string) error {
	commands := map[string]func(Host, []string) error{"train": Command, "measure": Compare, "publish": Publish, "info": Info}
	if len(args) > 0 && commands[args[0]] != nil {
		return commands[args[0]](host, args[1:])
	}
	return fmt.Errorf("name a command: train, measure, publish or info")
}
