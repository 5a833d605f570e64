// Package metrics measures how well a partition of a cloud follows its true
// objects, as in Landrieu and Boussaha 2019, appendix "Oversegmentation
// Metrics" (long version: doi:10.1109/CVPR.2019.00762).
//
// Oracle overall accuracy (OOA) counts points whose class is their segment's
// majority class. The undersegmentation error counts points outside their
// segment's majority object, over all points, as the paper writes it (after
// Levinshtein et al. 2009, doi:10.1109/TPAMI.2009.96).
//
// Boundaries lie between points. E_true are the edges of the graph between two
// objects, E_pred those between two segments, and expand(S) every edge that
// shares a vertex with an edge of S (a tolerance of one edge):
//
//	BR as printed      |E_pred ∩ expand(E_true)| / |E_true|   (can exceed 1)
//	BR as coded        |E_true ∩ expand(E_pred)| / |E_true|   (in [0, 1])
//	BP                 |E_pred ∩ expand(E_true)| / |E_pred|
//
// "As coded" is what the authors' program means to compute. Every unordered
// pair of neighbours counts once; the authors list mutual pairs twice.
//
// Labels below zero are ignored. A point of ignored class takes no part in the
// OOA. A point of ignored object takes no part in the undersegmentation error,
// and an edge that ends at one is neither a true nor a predicted transition and
// expands nothing: boundaries are measured on the graph without such points.
// Segment counts, sizes and pieces always cover all points.
//
// All counts are integers, so results are the same for any number of threads.
package metrics
