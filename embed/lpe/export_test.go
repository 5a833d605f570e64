package lpe

// SetBlock sets how many points a launch has.
func (e *Device) SetBlock(points int) { e.block = points }
