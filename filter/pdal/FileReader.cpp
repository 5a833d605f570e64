// SPDX-License-Identifier: BSD-3-Clause
#include "FileReader.hpp"

#include "ClassFlags.hpp"

#include <pdal/PipelineManager.hpp>
#include <pdal/StageFactory.hpp>
#include <pdal/util/Utils.hpp>

#include <memory>
#include <new>
#include <sstream>

namespace superpoint
{

namespace
{

// Collects what readers log.
class Listener
{
public:
    explicit Listener(pdal::LogPtr to) : log(pdal::Log::makeLog(to->leader(), &m_said)), m_to(to)
    {
        m_said.str("");
        log->setLevel(to->getLevel());
    }

    // Passes the messages on, except two that are no errors: a missing WKT flag, as readers.las reads the
    // reference without it, too, and deprecated names of dimensions. Throws for a field that readers.text
    // cannot convert and reads as 0.
    void pass() const
    {
        if (m_said.str().find("Can't convert field") != std::string::npos)
            throw std::runtime_error(m_said.str());
        std::istringstream lines(m_said.str());
        for (std::string line; std::getline(lines, line);)
            if (line.find("Global encoding WKT flag not set") == std::string::npos &&
                line.find(" is deprecated") == std::string::npos)
                *m_to->getLogStream() << line << std::endl;
    }

private:
    static std::ostringstream& m_said; // GDAL's handler of errors keeps the log of the last reader

public:
    const pdal::LogPtr log;

private:
    const pdal::LogPtr m_to;
};

std::ostringstream& Listener::m_said = *new std::ostringstream;

// The reader of a file. COPC on this machine is read by readers.las: commands write results in its order of
// points.
std::string driverOf(const std::string& path)
{
    const std::string driver = pdal::StageFactory::inferReaderDriver(path);
    return driver == "readers.copc" && path.find("://") == std::string::npos ? "readers.las" : driver;
}

} // unnamed namespace

const sp_cloud *FileReader::read(const std::string& path, const std::string& dimensions)
{
    try {
        load(path.compare(0, 1, "~") == 0 ? "./" + path : path, dimensions); // PDAL takes ~ for a home
        return &m_cloud;
    } catch (const std::bad_alloc&) {
        m_values.clear();
        throw std::runtime_error("not enough memory for the points of " + path +
                                 "; split the file (pdal superpoint survey), thin it (filters.sample), or raise the "
                                 "limit");
    } catch (const std::exception& e) {
        throw std::runtime_error(path + ": " + e.what());
    }
}

void FileReader::load(const std::string& path, const std::string& dimensions)
{
    m_values.clear();
    m_columns.clear();
    m_cloud = sp_cloud();
    pdal::PipelineManager manager;
    m_log->get(pdal::LogLevel::Debug) << "reading the points of " << path << std::endl;
    const Listener listener(m_log);
    manager.setLog(listener.log);
    const std::string driver = driverOf(path);
    pdal::Options options;
    if (driver == "readers.las")
        options.add("use_eb_vlr", true); // extra dimensions of files before LAS 1.4
    pdal::Stage& reader = manager.makeReader(path, driver, options);
    pdal::StreamCallbackFilter points;
    points.setInput(reader);
    points.setLog(listener.log);
    if (points.pipelineStreamable()) {
        pdal::FixedPointTable table(10000); // so PDAL never holds all points
        collect(points, reader, table, dimensions);
    } else {
        pdal::PointTable table;
        collect(points, reader, table, dimensions);
    }
    listener.pass();
    for (std::size_t i = 0; i < m_names.size(); ++i)
        m_columns.push_back({m_names[i].c_str(), m_values[i].data(), m_values[i].size()});
    m_cloud.columns = static_cast<uint32_t>(m_columns.size());
    m_cloud.column = m_columns.data();
    m_cloud.reference = m_reference.get();
    m_cloud.available = m_available.c_str();
}

// Reads X, Y, Z and, of a comma separated list of dimensions, those in the file. A second
// prepare() would make readers.las of PDAL 2.10 read its records twice.
template <typename Table>
void FileReader::collect(pdal::StreamCallbackFilter& points, pdal::Stage& reader, Table& table,
                         const std::string& dimensions)
{
    points.prepare(table);
    const pdal::PointLayout& layout = *table.layout();
    if (!layout.hasDim(pdal::Dimension::Id::X) || !layout.hasDim(pdal::Dimension::Id::Y))
        throw std::runtime_error("no X and Y");
    std::vector<pdal::Dimension::Id> ids{pdal::Dimension::Id::X, pdal::Dimension::Id::Y, pdal::Dimension::Id::Z};
    m_names = {"X", "Y", "Z"};
    for (const std::string& name : pdal::Utils::split(dimensions, ',')) {
        const pdal::Dimension::Id id = layout.findDim(name);
        if (id == pdal::Dimension::Id::Unknown)
            continue;
        ids.push_back(id);
        m_names.push_back(name);
    }
    m_available.clear();
    for (const auto id : layout.dims()) (m_available += layout.dimName(id)) += ',';
    m_values.resize(ids.size());

    std::unique_ptr<const Classes> classes; // known once the reader reads
    points.setCallback([&](pdal::PointRef& point) {
        if (!classes)
            classes = std::make_unique<const Classes>(reader, layout);
        for (std::size_t c = 0; c < ids.size(); ++c) m_values[c].push_back(classes->valueOf(point, ids[c]));
        return true;
    });
    points.execute(table);
    m_reference = Reference(table.anySpatialReference(), reader);
}

} // namespace superpoint
