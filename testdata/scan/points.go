package scan

import "superpoint/testdata/las"

func newPoints(color bool) *las.Points {
	p := &las.Points{Intensity: []uint16{}}
	if color {
		p.Red, p.Green, p.Blue = []uint16{}, []uint16{}, []uint16{}
	}
	return p
}

// appendPoints adds the columns of q to p.
func appendPoints(p, q *las.Points) {
	p.X, p.Y, p.Z = append(p.X, q.X...), append(p.Y, q.Y...), append(p.Z, q.Z...)
	p.Intensity = append(p.Intensity, q.Intensity...)
	p.ReturnNumber = append(p.ReturnNumber, q.ReturnNumber...)
	p.NumberOfReturns = append(p.NumberOfReturns, q.NumberOfReturns...)
	p.Classification = append(p.Classification, q.Classification...)
	p.ScanAngle = append(p.ScanAngle, q.ScanAngle...)
	p.PointSourceID = append(p.PointSourceID, q.PointSourceID...)
	p.GPSTime = append(p.GPSTime, q.GPSTime...)
	if q.Red != nil {
		p.Red, p.Green, p.Blue = append(p.Red, q.Red...), append(p.Green, q.Green...), append(p.Blue, q.Blue...)
	}
}

// head returns the first n points.
func head(p *las.Points, n int) *las.Points {
	q := *p
	q.X, q.Y, q.Z = p.X[:n], p.Y[:n], p.Z[:n]
	q.Intensity, q.ReturnNumber, q.NumberOfReturns = p.Intensity[:n], p.ReturnNumber[:n], p.NumberOfReturns[:n]
	q.Classification, q.ScanAngle, q.PointSourceID = p.Classification[:n], p.ScanAngle[:n], p.PointSourceID[:n]
	q.GPSTime = p.GPSTime[:n]
	if p.Red != nil {
		q.Red, q.Green, q.Blue = p.Red[:n], p.Green[:n], p.Blue[:n]
	}
	return &q
}
