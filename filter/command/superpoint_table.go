package command

import (
	"fmt"
	"slices"

	"superpoint/filter/census"
)

const tableUsage = `[options] FILE OUTPUT.csv|OUTPUT.parquet

Writes one row a superpoint, for a spreadsheet, QGIS or a classifier:

  id, count              id, number of points
  x, y, z                centroid, and
  xmin … zmax            bounding box, in the units of the file
  height                 zmax − zmin in metres
  linearity, planarity, scattering, verticality
                         form (Demantké et al. 2011), in [0, 1]
  residual               standard deviation from the best plane, metres
  normal_x … normal_z    unit normal of that plane, upwards
  class, class_share     most frequent class and the share of points that have it
  NAME_mean, NAME_std    mean and standard deviation of dimensions

The file needs superpoints: give it some with filters.superpoint first.

  pdal superpoint table segmented.laz superpoints.parquet
  pdal superpoint table --dimensions Intensity,Embedding0 segmented.laz superpoints.csv
  pdal superpoint table --id ClusterID clustered.laz clusters.csv

The options:`

// usualDimensions are described if the file has them and no others are named.
func usualDimensions() []string {
	return append([]string{"Intensity", "ReturnNumber", "NumberOfReturns", "Red", "Green", "Blue", "Infrared"},
		embeddings()...)
}

func tableCommand(a *arguments) func(names []string) error {
	s := newSuperpoints(a)
	s.classOption()
	a.outputOption("`file` to write")
	dimensions := a.String("dimensions", "", "`list` of dimensions for mean and standard deviation "+
		"(default: intensity, returns, colours and embedding, as far as the file has them)")
	return func(names []string) error {
		from, to, err := s.twoFiles(names, ".csv", ".parquet")
		if err != nil {
			return err
		}
		needed, err := dimensionList("dimensions", *dimensions)
		if err != nil {
			return err
		}
		var wanted []string
		if needed == nil {
			wanted = usualDimensions()
		}
		if err := s.read(from, needed, wanted); err != nil {
			return err
		}
		columns, err := s.describe(slices.Concat(needed, wanted))
		if err != nil {
			return err
		}
		if err := writeSheet(to, columns); err != nil {
			return err
		}
		a.host.Progress("writing", 1)
		return nil
	}
}

// describe returns the columns of the table.
func (s *superpoints) describe(dimensions []string) ([]column, error) {
	columns := s.ids()
	places := [3]int{s.place(), s.place(), 3}
	corner := func(a int, name string, value func(f *census.Form) [3]float64) {
		columns = append(columns, s.formColumn(name, places[a], func(f *census.Form) float64 { return value(f)[a] }))
	}
	for a, axis := range []string{"x", "y", "z"} {
		corner(a, axis, func(f *census.Form) [3]float64 { return f.Mean })
	}
	for a, axis := range []string{"x", "y", "z"} {
		corner(a, axis+"min", func(f *census.Form) [3]float64 { return f.Min })
		corner(a, axis+"max", func(f *census.Form) [3]float64 { return f.Max })
	}
	columns = append(columns, s.formColumn("height", 3, (*census.Form).Height))
	columns = append(columns, s.shapes()...)
	columns = append(columns, s.formColumn("residual", 4, func(f *census.Form) float64 { return f.Sigma[2] }))
	for a, axis := range []string{"x", "y", "z"} {
		columns = append(columns, s.formColumn("normal_"+axis, 4, func(f *census.Form) float64 { return f.Normal[a] }))
	}
	classes, err := s.majority()
	if err != nil {
		return nil, err
	}
	columns = append(columns, classes...)
	for _, name := range dimensions {
		values := s.columns.Dimensions[name]
		if values == nil {
			continue
		}
		mean, deviation, err := s.groups.Statistics(s.run(name), values)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		columns = append(columns, column{name + "_mean", 5, mean}, column{name + "_std", 5, deviation})
	}
	return columns, nil
}
