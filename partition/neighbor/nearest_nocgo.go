//go:build !cgo || !amd64

// SPDX-License-Identifier: BSD-3-Clause

package neighbor

import "superpoint/partition/base/parallel"

func (c *Cloud) nearest(l *Lists, run parallel.Run) error { return c.nearestGo(l, run) }
