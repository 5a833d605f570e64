// Runs the supervoxels of Lin et al. 2018 as their authors published them, with the
// steps and parameters of their main.cc: 15 nearest neighbours, the point among them,
// for normals and adjacency, and a weight of distance of 0.4. Compile it with -I of a
// checkout of github.com/yblin/Supervoxel-for-3D-point-clouds.
//
//   yblin CLOUD.txt RESOLUTION OUT
//
// CLOUD.txt has one "x y z" a line and may have more columns; OUT gets one label a
// line, in that order, from 0. It prints "resolution, supervoxels, processor seconds".
#include <cfloat>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fstream>
#include <limits>
#include <memory>  // of what the authors' headers use, as some above
#include <queue>
#include <random>

#include "codelibrary/geometry/point_cloud/pca_estimate_normals.h"
#include "codelibrary/geometry/point_cloud/supervoxel_segmentation.h"
#include "codelibrary/geometry/util/distance_3d.h"
#include "codelibrary/util/tree/kd_tree.h"

namespace {

const int kNeighbors = 15;
const double kDistanceWeight = 0.4;

struct Oriented : cl::RPoint3D {
  cl::RVector3D normal;
};

struct Dissimilarity {
  double resolution;
  double operator()(const Oriented &p, const Oriented &q) const {
    return 1 - std::fabs(p.normal * q.normal) + kDistanceWeight * cl::geometry::Distance(p, q) / resolution;
  }
};

}  // namespace

int main(int argc, char **argv) {
  if (argc != 4) {
    std::fprintf(stderr, "usage: yblin CLOUD.txt RESOLUTION OUT\n");
    return 2;
  }
  cl::Array<cl::RPoint3D> points;
  std::ifstream in(argv[1]);
  for (cl::RPoint3D p; in >> p.x >> p.y >> p.z; in.ignore(std::numeric_limits<std::streamsize>::max(), '\n')) {
    points.push_back(p);
  }
  const int n = points.size();
  if (n < kNeighbors) {
    std::fprintf(stderr, "yblin: %s has %d points, fewer than %d\n", argv[1], n, kNeighbors);
    return 1;
  }
  const double resolution = std::strtod(argv[2], nullptr);
  const std::clock_t begin = std::clock();
  cl::KDTree<cl::RPoint3D> tree;
  tree.SwapPoints(&points);
  cl::Array<Oriented> oriented(n);
  cl::Array<cl::Array<int>> neighbors(n);
  cl::Array<cl::RPoint3D> around(kNeighbors);
  for (int i = 0; i < n; ++i) {
    const cl::RPoint3D &p = tree.points()[i];
    tree.FindKNearestNeighbors(p, kNeighbors, &neighbors[i]);
    for (int k = 0; k < kNeighbors; ++k) around[k] = tree.points()[neighbors[i][k]];
    oriented[i].x = p.x;
    oriented[i].y = p.y;
    oriented[i].z = p.z;
    cl::geometry::point_cloud::PCAEstimateNormal(around.begin(), around.end(), &oriented[i].normal);
  }
  cl::Array<int> supervoxels, labels;
  cl::geometry::point_cloud::SupervoxelSegmentation(oriented, neighbors, resolution, Dissimilarity{resolution},
                                                    &supervoxels, &labels);
  const double took = double(std::clock() - begin) / CLOCKS_PER_SEC;
  std::ofstream out(argv[3]);
  for (int i = 0; i < n; ++i) out << labels[i] << '\n';
  std::printf("%g %d %.4f\n", resolution, int(supervoxels.size()), took);
  return 0;
}
