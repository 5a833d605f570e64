// Runs the Point Cloud Library's SupervoxelClustering, to compare partition/rivals/vccs
// with it: `make bench` its speed, pipelines/evidence/peers its segments. Compile it
// without -march=native: Debian's library is built without AVX, and Eigen then
// disagrees on alignment.
//
//   pcl_vccs CLOUD.txt VOXEL SEED[,SEED...] OUTPREFIX [NORMAL [COLOR]]
//
// CLOUD.txt has one "x y z" (metres, small coordinates) or "x y z r g b" (colours
// of 0 to 255) a line. NORMAL and COLOR are the importances of normals (default 1)
// and of colours (default 0, which needs none); that of distance is 0.4. For every
// seed resolution it writes OUTPREFIX.SEED with one label a line, in the order of
// the input (0: no supervoxel came there), and prints a line
// "seed resolution, supervoxels, processor seconds of extract and labelling".
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <sstream>
#include <string>

#include <pcl/point_types.h>
#include <pcl/segmentation/supervoxel_clustering.h>

int main(int argc, char **argv) {
  if (argc < 5 || argc > 7) {
    std::fprintf(stderr, "usage: pcl_vccs CLOUD.txt VOXEL SEED[,SEED...] OUTPREFIX [NORMAL [COLOR]]\n");
    return 2;
  }
  const float normal = argc > 5 ? std::strtof(argv[5], nullptr) : 1;
  const float color = argc > 6 ? std::strtof(argv[6], nullptr) : 0;
  pcl::PointCloud<pcl::PointXYZRGBA>::Ptr cloud(new pcl::PointCloud<pcl::PointXYZRGBA>);
  std::ifstream in(argv[1]);
  for (std::string line; std::getline(in, line);) {
    pcl::PointXYZRGBA p;
    unsigned r = 0, g = 0, b = 0;
    const int fields = std::sscanf(line.c_str(), "%f %f %f %u %u %u", &p.x, &p.y, &p.z, &r, &g, &b);
    if (fields != 6 && (fields != 3 || color > 0)) {
      std::fprintf(stderr, "pcl_vccs: line \"%s\" has %d of the fields x y z r g b\n", line.c_str(), fields);
      return 1;
    }
    p.r = std::uint8_t(r);
    p.g = std::uint8_t(g);
    p.b = std::uint8_t(b);
    p.a = 255;
    cloud->push_back(p);
  }
  const float voxel = std::strtof(argv[2], nullptr);
  std::stringstream seeds(argv[3]);
  for (std::string text; std::getline(seeds, text, ',');) {
    const float seed = std::strtof(text.c_str(), nullptr);
    const std::clock_t begin = std::clock();
    pcl::SupervoxelClustering<pcl::PointXYZRGBA> clustering(voxel, seed);
    clustering.setUseSingleCameraTransform(false);
    clustering.setInputCloud(cloud);
    clustering.setColorImportance(color);
    clustering.setSpatialImportance(0.4f);
    clustering.setNormalImportance(normal);
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
