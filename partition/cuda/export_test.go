package cuda

// SearchBy sets how many points a launch of the search has.
func (c *Cloud) SearchBy(points int) { c.launch = points }
