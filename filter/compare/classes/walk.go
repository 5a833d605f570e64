package main

import (
	"fmt"
	"math"
	"regexp"
)

// walked is the file that the walk in pipelines/classes.md goes with.
const walked = "lidarhd_77055_627760"

// a said number is one of the walk: the words before it, and what it is now.
type said struct{ words, value string }

// said lists the numbers that the walk has from the cells.
func (c cells) said() []said {
	of := func(measure string) string { return fmt.Sprintf("%.2f", c[key{"val", walked, own, measure}]) }
	return []said{
		{"On this tile", fmt.Sprintf("%.0f", 100*c[key{"val", walked, own, accuracy}])},
		{"gives them: ground has an IoU of", of(iouOf + "ground")},
		{"gives them: ground has an IoU of .{4}, building", of(iouOf + "building")},
		{"gives them: ground has an IoU of .{4}, building .{4}, vegetation", of(iouOf + "vegetation")},
		{`other things \(cars, fences, walls\)`, of(iouOf + "other")},
		{"50 labels that the tool chose reach", fmt.Sprintf("%.0f", math.Floor(100*c.leastShare(50)))},
	}
}

// walk returns the walk with its numbers as the cells have them.
func (c cells) walk(text string) (string, error) {
	for _, s := range c.said() {
		words := regexp.MustCompile(" ").ReplaceAllString(s.words, `\s+`)
		number := regexp.MustCompile(`(` + words + `\s+)(\d\.\d\d|\d+)`)
		if len(number.FindAllString(text, -1)) != 1 {
			return "", fmt.Errorf("the walk must have a number once behind %q", s.words)
		}
		text = number.ReplaceAllString(text, "${1}"+s.value)
	}
	return text, nil
}

// leastShare is the tool's least share of the accuracy with all labels, of any file.
func (c cells) leastShare(labels int) float64 {
	least := math.Inf(1)
	for _, file := range c.files("val", byTool, labelled+allOf) {
		least = min(least, c.share(file, labels))
	}
	return least
}
