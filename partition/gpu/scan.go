// SPDX-License-Identifier: BSD-3-Clause

package gpu

import "embed"

// Files of the module scan, which other modules' host code uses.
//
//go:embed device.h scan.cu scan.ptx
var scanFiles embed.FS

var scanning = NewModule("scan", scanFiles)

const (
	scanThreads = 256 // as in scan.cu
	scanEach    = 8
)

// Scan replaces count numbers by their exclusive prefix sums.
func (t *Task) Scan(values Pointer, count int) {
	blocks := (count + scanThreads*scanEach - 1) / (scanThreads * scanEach)
	if blocks == 0 {
		return
	}
	totals := t.Alloc(4 * blocks)
	t.Launch(scanning.Kernel("scan_blocks"), blocks*scanThreads, scanThreads, 8*scanThreads, values,
		totals, count)
	if blocks > 1 {
		t.Scan(totals, blocks)
		t.Launch(scanning.Kernel("scan_add"), blocks*scanThreads, scanThreads, 0, values, totals, count)
	}
	t.Release(totals)
}
