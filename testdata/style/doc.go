// SPDX-License-Identifier: BSD-3-Clause

// Package style has no code: its tests look at the text of the repository.
package style
