// SPDX-License-Identifier: BSD-3-Clause

package classes

import "strconv"

// Name returns the name that ASPRS gives a class code (LAS 1.4 R15, table 17), else its number. Results,
// legends, reports and the QGIS plugin have these names, also for classes that a classifier calls otherwise.
func Name(code int) string {
	names := map[int]string{0: "never classified", 1: "unclassified", 2: "ground", 3: "low vegetation",
		4: "medium vegetation", 5: "high vegetation", 6: "building", Noise: "low noise",
		9: "water", 10: "rail",
		11: "road surface", 13: "wire guard", 14: "wire conductor", 15: "transmission tower",
		16: "wire connector",
		17: "bridge deck", HighNoise: "high noise", 19: "overhead structure",
		20: "ignored ground", 21: "snow",
		22: "temporal exclusion"}
	if name, ok := names[code]; ok {
		return name
	}
	return "class " + strconv.Itoa(code)
}
