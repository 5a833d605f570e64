// SPDX-License-Identifier: BSD-3-Clause

// Package promises checks the files of a map before they appear: each promise of the page map.md about files
// is checked on the files, by other code than that which wrote them.
//
// The checks of objects and of the report take what they read, and the bounds of the points. Those of rasters
// and of water also take a Map, what the run states of the files, and a Witness, points that it kept.
package promises
