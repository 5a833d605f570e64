// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "Reference.hpp"

#include <superpoint.h>

#include <pdal/filters/StreamCallbackFilter.hpp>

#include <string>
#include <vector>

namespace superpoint
{

// Reads any file that PDAL can read into flat columns.
class FileReader
{
public:
    explicit FileReader(pdal::LogPtr log) : m_log(log), m_cloud() {}

    // As sp_host.read in superpoint.h, but throws errors. The cloud is valid until the next call.
    const sp_cloud *read(const std::string& path, const std::string& dimensions);

private:
    void load(const std::string& path, const std::string& dimensions);
    template <typename Table>
    void collect(pdal::StreamCallbackFilter& points, pdal::Stage& reader, Table& table, const std::string& dimensions);

    pdal::LogPtr m_log;
    std::vector<std::vector<double>> m_values; // X, Y, Z, then the other dimensions
    std::vector<std::string> m_names;
    std::vector<sp_column> m_columns; // points into both
    Reference m_reference;
    std::string m_available;
    sp_cloud m_cloud;
};

} // namespace superpoint
