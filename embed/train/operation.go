package train

import (
	"fmt"
	"hash"
	"hash/fnv"

	"github.com/chewxy/hm"
	"gorgonia.org/gorgonia"
	"gorgonia.org/tensor"
)

// operation is a gorgonia operation made of one function. Its gradient, if it
// has one, is another operation on the inputs, the output and the gradient at
// the output.
type operation struct {
	name     string
	in       []int        // dimensions of the inputs, 0 for a scalar
	out      tensor.Shape // shape of the output, empty for a scalar
	do       func(in []gorgonia.Value) (gorgonia.Value, error)
	gradient *operation
}

var _ gorgonia.SDOp = (*operation)(nil)

func kind(dims int) hm.Type {
	if dims == 0 {
		return tensor.Float32
	}
	return gorgonia.TensorType{Dims: dims, Of: tensor.Float32}
}

// Arity implements gorgonia.Op.
func (o *operation) Arity() int { return len(o.in) }

// Type implements gorgonia.Op.
func (o *operation) Type() hm.Type {
	var types []hm.Type
	for _, d := range o.in {
		types = append(types, kind(d))
	}
	return hm.NewFnType(append(types, kind(len(o.out)))...)
}

// InferShape implements gorgonia.Op.
func (o *operation) InferShape(...gorgonia.DimSizer) (tensor.Shape, error) { return o.out, nil }

// Do implements gorgonia.Op.
func (o *operation) Do(in ...gorgonia.Value) (gorgonia.Value, error) { return o.do(in) }

// ReturnsPtr implements gorgonia.Op.
func (o *operation) ReturnsPtr() bool { return false }

// CallsExtern implements gorgonia.Op.
func (o *operation) CallsExtern() bool { return false }

// OverwritesInput implements gorgonia.Op.
func (o *operation) OverwritesInput() int { return -1 }

// WriteHash implements gorgonia.Op.
func (o *operation) WriteHash(h hash.Hash) {
	fmt.Fprintf(h, "superpoint %s %v %v", o.name, o.in, o.out)
}

// Hashcode implements gorgonia.Op.
func (o *operation) Hashcode() uint32 {
	h := fnv.New32a()
	o.WriteHash(h)
	return h.Sum32()
}

// String implements gorgonia.Op.
func (o *operation) String() string { return o.name }

// DiffWRT implements gorgonia.SDOp.
func (o *operation) DiffWRT(inputs int) []bool {
	able := make([]bool, inputs)
	able[0] = o.gradient != nil
	return able
}

// SymDiff implements gorgonia.SDOp.
func (o *operation) SymDiff(in gorgonia.Nodes, output, grad *gorgonia.Node) (gorgonia.Nodes, error) {
	if o.gradient == nil || len(in) != 1 {
		return nil, fmt.Errorf("operation %s has no gradient", o.name)
	}
	node, err := gorgonia.ApplyOp(o.gradient, in[0], output, grad)
	return gorgonia.Nodes{node}, err
}

// floats returns the values of a tensor.
func floats(v gorgonia.Value) []float32 {
	x, ok := v.Data().([]float32)
	if !ok {
		return []float32{v.Data().(float32)}
	}
	return x
}

// dense32 wraps values as a tensor.
func dense32(x []float32, shape ...int) gorgonia.Value {
	return tensor.New(tensor.WithShape(shape...), tensor.WithBacking(x))
}
