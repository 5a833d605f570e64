package train

import (
	"slices"
	"strings"
)

// allColors stands for all channels of colour in augment.dropout.
const allColors = "color"

var colors = []string{"red", "green", "blue", "infrared"}

// placesOf returns where the channels are that a name of augment.dropout stands for.
func placesOf(name string, channels []string) []int {
	var places []int
	for i, channel := range channels {
		if channel == name || name == allColors && slices.Contains(colors, strings.TrimPrefix(channel, "d_")) {
			places = append(places, i)
		}
	}
	return places
}
