package neighbor

// SearchBy sets how many points a launch of the search has.
func (c *Resident) SearchBy(points int) { c.launch = points }
