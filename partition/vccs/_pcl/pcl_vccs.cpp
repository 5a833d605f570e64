// Runs the Point Cloud Library's SupervoxelClustering, to compare partition/vccs
// with it. `make bench` compiles and runs it, without -march=native: Debian's library
// is built without AVX, and Eigen then disagrees on alignment.
//
//   pcl_vccs CLOUD.txt VOXEL SEED[,SEED...] OUTPREFIX
//
// CLOUD.txt has one "x y z" (metres, small coordinates) a line. For every seed
// resolution it writes OUTPREFIX.SEED with one label a line, in the order of the
// input (0: no supervoxel came there), and prints a line
// "seed resolution, supervoxels, processor seconds of extract and labelling".
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <sstream>
#include <string>

#include <pcl/point_types.h>
#include <pcl/segmentation/supervoxel_clustering.h>

int main(int argc, char **argv) {
  if (argc != 5) {
    std::fprintf(stderr, "usage: pcl_vccs CLOUD.txt VOXEL SEED[,SEED...] OUTPREFIX\n");
    return 2;
  }
  pcl::PointCloud<pcl::PointXYZRGBA>::Ptr cloud(new pcl::PointCloud<pcl::PointXYZRGBA>);
  std::ifstream in(argv[1]);
  pcl::PointXYZRGBA p;
  p.r = p.g = p.b = 0;
  p.a = 255;
  while (in >> p.x >> p.y >> p.z) cloud->push_back(p);
  const float voxel = std::strtof(argv[2], nullptr);
  std::stringstream seeds(argv[3]);
  for (std::string text; std::getline(seeds, text, ',');) {
    const float seed = std::strtof(text.c_str(), nullptr);
    const std::clock_t begin = std::clock();
    pcl::SupervoxelClustering<pcl::PointXYZRGBA> clustering(voxel, seed);
    clustering.setUseSingleCameraTransform(false);
    clustering.setInputCloud(cloud);
    clustering.setColorImportance(0.0f);
    clustering.setSpatialImportance(0.4f);
    clustering.setNormalImportance(1.0f);
    std::map<std::uint32_t, pcl::Supervoxel<pcl::PointXYZRGBA>::Ptr> clusters;
    clustering.extract(clusters);
    const auto labels = clustering.getLabeledCloud();
    const double took = double(std::clock() - begin) / CLOCKS_PER_SEC;
    std::ofstream out(std::string(argv[4]) + "." + text);
    for (const auto &q : *labels) out << q.label << '\n';
    std::printf("%s %zu %.4f\n", text.c_str(), clusters.size(), took);
  }
  return 0;
}
