//go:build !cgo || !amd64

package neighbor

import "superpoint/partition/base/parallel"

func (c *Cloud) nearest(l *Lists, run parallel.Run) error { return c.nearestGo(l, run) }
