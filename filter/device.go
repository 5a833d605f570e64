package filter

import (
	"errors"
	"fmt"

	"superpoint/embed"
	cudaembed "superpoint/embed/cuda"
	"superpoint/embed/lpe"
	"superpoint/partition"
	"superpoint/partition/cuda"
	"superpoint/partition/merge"
	"superpoint/partition/neighbor"
	"superpoint/partition/parallel"
)

// accelerator is the GPU of a filter: opened once, and given up for good when it
// fails.
type accelerator struct {
	gpu   cudaembed.GPU // nil: the CPU does everything
	asked bool          // it was looked for
	why   string        // no GPU is used
}

// openDevice looks for the GPU that the options name. Without one it fails if
// one was asked for.
func (f *Filter) openDevice() error {
	a := &f.accelerator
	if a.asked || f.options.Device == "cpu" {
		return nil
	}
	a.asked = true
	gpu, err := cudaembed.Open(f.options.Device)
	switch {
	case err == nil:
		a.gpu = gpu
		f.log(LogInfo, fmt.Sprintf("device: cuda:%d, %s", gpu.Number(), gpu.Name()))
	case f.options.Device != "auto":
		return fmt.Errorf("option device: %q is not available: %w; or use device=auto or device=cpu", f.options.Device, err)
	default:
		a.why = err.Error()
		f.log(LogDebug, "device: cpu, because "+a.why)
	}
	return nil
}

// Close gives the GPU back, if there is one.
func (f *Filter) Close() {
	if f.accelerator.gpu != nil {
		f.accelerator.gpu.Close()
		f.accelerator.gpu = nil
	}
}

// onGPU runs work on the GPU and says whether that was done. If it fails and
// the device was the filter's choice, the CPU has to do it, and all that follows.
func (j *job) onGPU(run parallel.Run, what string, work func(m cuda.Machine) error) (bool, error) {
	gpu := j.accelerator.gpu
	if gpu == nil {
		return false, nil
	}
	err := work(gpu)
	if err == nil || run.Err() != nil {
		return true, err
	}
	if errors.Is(err, errUnfit) {
		j.log(LogInfo, err.Error())
		return false, nil
	}
	if j.options.Device != "auto" {
		return true, fmt.Errorf("option device: %q: %s: %w", j.options.Device, what, err)
	}
	j.log(LogWarning, fmt.Sprintf("%s on the GPU failed: %v; the CPU goes on", what, err))
	j.leaveGPU()
	j.accelerator.why = err.Error()
	j.Filter.Close()
	return false, nil
}

// errUnfit is a task that the GPU's kernels are not made for; the CPU does it.
var errUnfit = errors.New("not for the GPU")

// leaveGPU frees what the job has on the GPU.
func (j *job) leaveGPU() {
	if j.onDevice != nil {
		j.onDevice.Close()
		j.onDevice = nil
	}
}

// nearest finds the neighbours on the GPU or the CPU.
func (j *job) nearest(run parallel.Run) (lists *neighbor.Lists, err error) {
	done, err := j.onGPU(run, "the neighbour search", func(m cuda.Machine) error {
		if j.settings.knn > cuda.MostNeighbors {
			return fmt.Errorf("knn %d is above %d: %w", j.settings.knn, cuda.MostNeighbors, errUnfit)
		}
		if j.onDevice, err = cuda.Upload(m, j.cloud); err != nil {
			j.onDevice = nil
			return err
		}
		lists, err = j.onDevice.Nearest(j.settings.knn, run)
		return err
	})
	if done || err != nil {
		return lists, err
	}
	return j.cloud.Nearest(j.settings.knn, run)
}

// embedAll computes the embeddings on the GPU or the CPU.
func (j *job) embedAll(run parallel.Run, in *embed.Input) (values []float32, err error) {
	if learned, ok := j.model.Embedder.(*lpe.Embedder); ok {
		done, err := j.onGPU(run, "the embedding", func(m cuda.Machine) error {
			e, err := cudaembed.New(m, learned.Model())
			if err != nil {
				return fmt.Errorf("%w (%w)", err, errUnfit)
			}
			e.Use(j.onDevice)
			values, err = e.Embed(run, in)
			j.leaveGPU() // nothing after this needs positions or lists
			return err
		})
		if done || err != nil {
			return values, err
		}
	}
	return j.model.Embedder.Embed(run, in)
}

// merging is the merge solver with its rounds on the GPU if there is one.
type merging struct{ job *job }

// Solve implements partition.Solver.
func (s merging) Solve(run parallel.Run, p *partition.Problem) (result *partition.Result, err error) {
	done, err := s.job.onGPU(run, "the partition", func(m cuda.Machine) error {
		result, err = cuda.Solver{Machine: m}.Solve(run, p)
		return err
	})
	if done || err != nil {
		return result, err
	}
	return merge.Solver{}.Solve(run, p)
}

// solver returns the solver that the options name.
func (j *job) solver() (partition.Solver, error) {
	s, err := newSolver(j.options.Solver)
	if _, merges := s.(merge.Solver); merges && j.accelerator.gpu != nil {
		return merging{j}, err
	}
	return s, err
}

// device names what the work ran on.
func (f *Filter) device() string {
	if g := f.accelerator.gpu; g != nil {
		return fmt.Sprintf("cuda:%d (%s)", g.Number(), g.Name())
	}
	if f.model == nil {
		return "cpu"
	}
	if named, ok := f.model.Embedder.(interface{ Kernel() string }); ok {
		return "cpu (" + named.Kernel() + ")"
	}
	return "cpu"
}
