//go:build !linux

package memory

import "math"

// machine is not implemented on this system.
func machine() left { return left{free: math.MaxUint64} }

func addresses() left { return machine() }

func data() left { return machine() }

// Peak is not implemented on this system.
func Peak() int64 { return 0 }
