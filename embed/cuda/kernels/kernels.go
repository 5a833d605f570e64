// Package kernels holds the CUDA kernels, compiled to PTX for compute_70, which
// NVIDIA's driver compiles for the GPU it finds (Volta of 2017 and everything
// newer). The sources are beside: device.h says how gcc reads them, too. After a
// change run go generate here; a test compares the hash in each PTX file with
// the sources.
package kernels

import (
	"embed"
	"io/fs"
)

//go:generate _gen/ptx.sh

//go:embed *.ptx
var files embed.FS

//go:embed *.cu *.h
var sources embed.FS

// Sources returns the kernels' own texts. What compiles them otherwise imports this
// package, so that go builds it again when they change.
func Sources() fs.FS { return sources }

// Names returns the kernels of every module.
func Names() map[string][]string {
	return map[string][]string{
		"backprop_dense": {"gemm", "sum_blocks", "dense_moments", "dense_combine", "dense_relu", "dense_sums", "dense_apply",
			"omega_of", "join_channels", "omega_gradient", "unit_length", "unit_back"},
		"backprop_set": {"set_moments", "set_max", "set_sparse", "set_back", "set_omega"},
		"contrast":     {"edge_contrast"},
		"knn":          {"knn_count", "knn_fill", "knn_search", "knn_rows"},
		"loss":         {"loss_edges", "loss_sum", "loss_gradient"},
		"lpe":          {"lpe_embed", "lpe_embed_wide"},
		"merge": {"merge_edges", "merge_best", "merge_pair", "merge_join", "merge_gather", "merge_compact",
			"merge_rename"},
		"scan": {"scan_blocks", "scan_add"},
	}
}

// PTX returns the text of a module.
func PTX(module string) (string, error) {
	text, err := fs.ReadFile(files, module+".ptx")
	return string(text), err
}
