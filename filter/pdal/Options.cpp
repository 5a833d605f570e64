#include "Options.hpp"

#include <cstdio>

namespace superpoint
{

const std::vector<Option>& options()
{
    static const std::vector<Option> all {
        { "model", "auto", "Built-in model name, model file, auto (best built-in model "
            "whose inputs the points have), or geometric (no learning)" },
        { "method", "ssp", "How superpoints are made: ssp, ssp-cluster, geom-graph, vccs or lin" },
        { "features", "", "Dimensions, with commas between, whose values are used as they are "
            "in place of a model, e.g. Red,Green,Blue (with graph=grid: the colours or bands)" },
        { "graph", "knn", "What joins points: knn (nearest neighbours), or grid (the pixels of an "
            "image read by readers.gdal)" },
        { "solver", "auto", "Solver of the partition problem: auto, cut-pursuit, merge or multilevel" },
        { "regularization", "", "Regularization strength; larger gives fewer superpoints (default: from the model)" },
        { "target_size", "", "Wanted mean number of points per superpoint; excludes regularization" },
        { "min_size", "", "Smallest superpoint at regularization 1, in points (default: from the model)" },
        { "spatial_weight", "", "Weight of positions beside embeddings, per metre (default: from the model)" },
        { "spacing", "", "Distance of neighbouring points in metres, which models without a unit and "
            "spatial weights by the spacing go by (default: measured)" },
        { "sphere", "false", "Solve the partition problem with values on the unit sphere, where "
            "learned embeddings lie" },
        { "edge_decay", "0.5", "Decay of the edge weights with the distance of embeddings" },
        { "knn", "20", "Neighbours in the neighbourhood that is embedded; a learned model has its own" },
        { "adjacency_knn", "", "Neighbours each point is joined to in the adjacency graph "
            "(default: from the model); 4 or 8 with graph=grid" },
        { "delaunay", "", "Add Delaunay edges to the adjacency graph (default: from the model)" },
        { "max_edge", "", "Longest Delaunay edge, in metres; with delaunay (default: four times the spacing)" },
        { "dimension", "SuperpointID", "Dimension that takes the ids; ClusterID is allowed" },
        { "first_id", "1", "The first id, so that the ids of several runs differ" },
        { "embedding", "true", "Write Embedding0, Embedding1, ..." },
        { "color", "false", "Write SuperpointColor, 0-31; superpoints that touch differ" },
        { "embedding_color", "false", "Write EmbeddingR, EmbeddingG, EmbeddingB, the first three "
            "embedding columns as 0-65535" },
        { "vote", "", "Dimension of classes; its majority over each superpoint is written to "
            "Voted<dimension>" },
        { "truth", "", "Dimension of true classes; adds OOA, BR, BP and undersegmentation error "
            "to the metadata" },
        { "instances", "", "Dimension of true objects for the boundary metrics "
            "(default: connected parts of a class)" },
        { "device", "auto", "auto, cpu, cuda or cuda:N" },
        { "threads", "0", "Threads; 0 = all" },
        { "seed_resolution", "", "Distance between seeds, in metres; for ssp-cluster, vccs and lin "
            "(default: from the point spacing)" },
        { "voxel_resolution", "", "Voxel size of vccs, in metres (default: from the point spacing)" },
        { "spatial_importance", "0.4", "Weight of distance in vccs" },
        { "normal_importance", "1", "Weight of normals in vccs" },
        { "color_importance", "0", "Weight of colours in vccs" },
    };
    return all;
}

namespace
{

std::string quoted(const std::string& text)
{
    std::string json("\"");
    for (unsigned char c : text)
    {
        if (c == '"' || c == '\\')
            (json += '\\') += c;
        else if (c < 0x20)
        {
            char escape[8];
            std::snprintf(escape, sizeof(escape), "\\u%04x", c);
            json += escape;
        }
        else
            json += c;
    }
    return json + '"';
}

// The position after the JSON string that begins at `at`.
std::size_t afterString(const std::string& json, std::size_t at)
{
    for (++at; at < json.size() && json[at] != '"'; ++at)
        if (json[at] == '\\')
            ++at;
    return at + 1;
}

} // unnamed namespace

std::string toJson(const std::vector<Setting>& settings)
{
    std::string json("{");
    for (const Setting& s : settings)
    {
        if (json.size() > 1)
            json += ',';
        // Every value crosses as the user wrote it: the library checks and explains.
        json += quoted(s.option->name) + ":" + quoted(s.value);
    }
    return json + "}";
}

std::vector<std::pair<std::string, std::string>> members(const std::string& json)
{
    std::vector<std::pair<std::string, std::string>> found;
    std::string key;
    std::size_t at = json.find('{');
    std::size_t start = std::string::npos; // of the current value
    int depth = 0;
    while (at < json.size())
    {
        const char c = json[at];
        if (c == '"')
        {
            const std::size_t end = afterString(json, at);
            if (depth == 1 && start == std::string::npos)
                key = json.substr(at + 1, end - at - 2);
            at = end;
            continue;
        }
        if (depth == 1 && c == ':' && start == std::string::npos)
            start = at + 1;
        if (c == '}' || c == ']')
            --depth;
        if (start != std::string::npos && ((depth == 1 && c == ',') || depth == 0))
        {
            found.emplace_back(key, json.substr(start, at - start));
            start = std::string::npos;
        }
        if (c == '{' || c == '[')
            ++depth;
        ++at;
    }
    return found;
}

} // namespace superpoint
