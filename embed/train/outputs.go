package train

import (
	"fmt"

	"superpoint/embed/whole"
)

// Checkpoint, curve and table of a model file lie beside it under these
// endings.
const (
	checkpointSuffix = ".checkpoint"
	curveSuffix      = ".png"
	tableSuffix      = ".csv"
)

// outputs are the files that a training run writes, none of which it reads.
type outputs struct {
	model, checkpoint, curve, table *whole.Output
}

func (o *Options) outputs(host Host) (out outputs, err error) {
	files := &whole.Files{Context: host.Context()}
	files.Input(o.Inputs...)
	files.Input(o.Validation...)
	files.Input(o.Base, o.RecipeFile)
	for _, one := range []struct {
		to           **whole.Output
		what, suffix string
	}{
		{&out.model, "model", ""}, {&out.checkpoint, "checkpoint", checkpointSuffix},
		{&out.curve, "picture of the loss", curveSuffix}, {&out.table, "table of the loss", tableSuffix},
	} {
		if *one.to, err = files.Output(o.Output + one.suffix); err != nil {
			return out, fmt.Errorf("train: --output %s: the %s: %w", o.Output, one.what, err)
		}
	}
	return out, nil
}
