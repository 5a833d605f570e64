// SPDX-License-Identifier: BSD-3-Clause

package arithmetic

// Mix is a bijective hash of 32-bit integers (Wellons 2018, lowbias32,
// https://nullprogram.com/blog/2018/07/31/).
func Mix(x uint32) uint32 {
	x = (x ^ x>>16) * 0x7feb352d
	x = (x ^ x>>15) * 0x846ca68b
	return x ^ x>>16
}
