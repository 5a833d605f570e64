package georef

import "math"

// Scale returns a function that tells the metres in a unit of X, of Y and of Z
// at a given Y. It depends on Y only for angles: there it holds near the place.
func (r Reference) Scale(warn func(text string)) (func(y float64) [3]float64, error) {
	u, err := r.units()
	if err != nil {
		return nil, err
	}
	if u.warning != "" && warn != nil {
		warn(u.warning)
	}
	if !u.geographic {
		return func(float64) [3]float64 { return [3]float64{u.horizontal, u.horizontal, u.vertical} }, nil
	}
	return func(y float64) [3]float64 {
		sin, cos := math.Sincos(y * u.horizontal)
		squared := u.flattening * (2 - u.flattening) // first eccentricity, squared
		w := 1 - squared*sin*sin
		east, north := u.major/math.Sqrt(w), u.major*(1-squared)/(w*math.Sqrt(w)) // radii of curvature
		return [3]float64{u.horizontal * east * cos, u.horizontal * north, u.vertical}
	}, nil
}
