// SPDX-License-Identifier: BSD-3-Clause

// Package ptx compiles the CUDA kernels to PTX for compute_70, each beside its
// source, and contains the registers that ptxas assigns (registers.txt). Its tests
// compare the hash in each PTX file with the sources: go generate here after a change.
package ptx

//go:generate ./ptx.sh
