package main

import (
	"math/rand/v2"
	"slices"
	"strconv"

	"superpoint/embed/classes"
	"superpoint/partition/base/parallel"
)

type class = classes.Class

// budgets are the numbers of labelled superpoints.
var budgets = []int{10, 30, 50, 100, 300}

// turns is the number of random draws whose mean is reported.
const turns = 5

// curve measures accuracy over the number of labelled superpoints: a label is the
// superpoint's most frequent class. The last layer begins empty, for the
// classifier's own classes are not what labels mean.
func (c *cloud) curve(set, name string) (shares, error) {
	f, g, err := classes.Describe(parallel.Run{}, c.points, c.model.Card.Embedding.Dim)
	if err != nil {
		return nil, err
	}
	p, hidden, err := c.model.Probabilities(parallel.Run{}, f, g)
	if err != nil {
		return nil, err
	}
	truth := c.majority()
	var all []int
	for row, code := range truth {
		if code >= 0 {
			all = append(all, row)
		}
	}
	cell := func(method, labels string) share { return share{set, name, method, labelled + labels} }
	result := shares{}
	if result[cell(byTool, allOf)], err = c.accuracy(hidden, truth, all); err != nil {
		return nil, err
	}
	var chosen []int
	for _, budget := range budgets {
		if budget > len(all) {
			break
		}
		if chosen, err = c.propose(f, p, hidden, truth, chosen, budget); err != nil {
			return nil, err
		}
		n := strconv.Itoa(budget)
		if result[cell(byTool, n)], err = c.accuracy(hidden, truth, chosen); err != nil {
			return nil, err
		}
		if result[cell(byChance, n)], err = c.chance(hidden, truth, all, budget); err != nil {
			return nil, err
		}
	}
	return result, nil
}

// chance returns the mean accuracy with randomly chosen labels.
func (c *cloud) chance(hidden []float32, truth, all []int, budget int) (mean float64, err error) {
	for turn := range turns {
		r := rand.New(rand.NewPCG(uint64(turn), 7))
		rows := slices.Clone(all)
		r.Shuffle(len(rows), func(a, b int) { rows[a], rows[b] = rows[b], rows[a] })
		a, err := c.accuracy(hidden, truth, rows[:budget])
		if err != nil {
			return 0, err
		}
		mean += a / turns
	}
	return mean, nil
}

// propose labels the superpoints that the tool proposes, ten at a time.
func (c *cloud) propose(f *classes.Features, p, hidden []float32, truth, chosen []int, budget int) ([]int, error) {
	asked := slices.Clone(chosen)
	for len(chosen) < budget {
		m := c.model
		if len(chosen) > 0 {
			fitted, err := c.fit(hidden, truth, chosen)
			if err != nil {
				return nil, err
			}
			m, p = fitted, fitted.Last(hidden)
		}
		more := m.Propose(f, p, hidden, asked, min(10, budget-len(chosen)))
		if len(more) == 0 {
			break
		}
		for _, row := range more {
			asked = append(asked, row)
			if truth[row] >= 0 { // superpoints without a true label cannot be labelled
				chosen = append(chosen, row)
			}
		}
	}
	return chosen, nil
}

// blank returns the classifier with an untrained last layer.
func (c *cloud) blank() (*classes.Model, error) {
	file, err := c.model.Save()
	if err != nil {
		return nil, err
	}
	m, err := classes.Load(file)
	if err != nil {
		return nil, err
	}
	clear(m.Tensor("out.weight"))
	clear(m.Tensor("out.bias"))
	return m, nil
}

func (c *cloud) fit(hidden []float32, truth, rows []int) (*classes.Model, error) {
	m, err := c.blank()
	if err != nil {
		return nil, err
	}
	var labels []classes.Label
	for _, row := range rows {
		labels = append(labels, classes.Label{Row: row, Code: truth[row]})
	}
	return m.Fit(hidden, labels, nil)
}

// accuracy returns the accuracy on all points after training on some superpoints.
func (c *cloud) accuracy(hidden []float32, truth, rows []int) (float64, error) {
	m, err := c.fit(hidden, truth, rows)
	if err != nil {
		return 0, err
	}
	p := m.Last(hidden)
	guess := c.inFile(func(i int) int {
		if c.points.Component[i] == classes.None {
			return classes.Noise
		}
		code, _ := m.Best(p, int(c.points.Component[i]))
		return int(code)
	})
	accuracy, _ := c.score(guess).measures()
	return accuracy, nil
}

// majority returns the code of each superpoint's most frequent class, −1 for none;
// of classes that the file does not distinguish the first.
func (c *cloud) majority() []int {
	votes := make([][]int, c.points.Count)
	for i, to := range c.order {
		if set, row := c.meaning[to], c.points.Component[i]; set >= 0 && row != classes.None {
			if votes[row] == nil {
				votes[row] = make([]int, len(c.rules.Classes))
			}
			votes[row][c.rules.Sets[set][0]]++
		}
	}
	truth := make([]int, len(votes))
	for row, v := range votes {
		if truth[row] = -1; v != nil {
			truth[row] = c.rules.Classes[slices.Index(v, slices.Max(v))].Code
		}
	}
	return truth
}
