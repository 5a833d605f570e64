// Package local solves the generalized minimal partition problem by steps that
// are local and free of order: what happens to a vertex depends on vertices a
// bounded number of edges away, on what the joint step says of their components,
// and never on numbers, threads or where a tile ends. README.md, beside this
// file, has the rules, why they are local, and measurements.
//
//   - Coarsening, on the points: a fixed number of rounds, in each of which
//     components that choose each other become one, and take in those that
//     chose them, up to a size.
//   - The joint step, on the graph that this leaves: halvings by the same rule,
//     and back from the coarsest level vertices that move, components cut in two
//     as in cut pursuit, merges, and components below the smallest size joined.
//   - Refinement, on the points: a fixed number of passes in which points move to
//     a neighbouring component, against sizes and means that the joint step gave.
//   - The joint step again, on the graph of the pieces: merges, and components
//     below the smallest size joined.
//
// Where an order is needed it is that of Problem.Before; the filter and the tiles
// of a survey give that of positions along a curve (neighbor.Cloud.Precedes), for
// the numbers of vertices change with the extent of the cloud. Sums that run over many
// points are of whole numbers. Problems of at most 4,096 points are solved by cut
// pursuit too, and the best partition is kept.
package local
