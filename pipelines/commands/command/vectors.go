// SPDX-License-Identifier: BSD-3-Clause

package command

import "superpoint/pipelines/layers"

// OpenVectors registers the inputs of a command and returns its vector file to write. It fails early if the
// file cannot be written.
func (a *Arguments) OpenVectors(from []string, path string) (*layers.Vectors, error) {
	if err := layers.CheckEnding(path); err != nil {
		return nil, err
	}
	to, err := a.Open(from, path)
	if err != nil {
		return nil, err
	}
	return layers.NewVectors(a.Host, to)
}
