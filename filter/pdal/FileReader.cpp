#include "FileReader.hpp"

#include "ClassFlags.hpp"

#include <pdal/PipelineManager.hpp>
#include <pdal/PointRef.hpp>
#include <pdal/PointTable.hpp>
#include <pdal/PointView.hpp>
#include <pdal/Stage.hpp>

#include <new>
#include <sstream>

namespace superpoint
{

namespace
{

// The dimensions to read: X, Y, Z, and those of a comma separated list that the file has.
struct Columns
{
    std::vector<pdal::Dimension::Id> ids;
    std::vector<std::vector<double>> values;
    std::vector<std::string> names;
    std::string available;

    void choose(const std::string& dimensions, const pdal::PointLayout& layout)
    {
        if (!layout.hasDim(pdal::Dimension::Id::X) || !layout.hasDim(pdal::Dimension::Id::Y))
            throw std::runtime_error("no X and Y");
        ids = {pdal::Dimension::Id::X, pdal::Dimension::Id::Y, pdal::Dimension::Id::Z};
        names = {"X", "Y", "Z"};
        std::istringstream list(dimensions);
        for (std::string name; std::getline(list, name, ',');)
        {
            const pdal::Dimension::Id id = layout.findDim(name);
            if (id == pdal::Dimension::Id::Unknown)
                continue;
            ids.push_back(id);
            names.push_back(name);
        }
        for (const auto id : layout.dims())
            (available += layout.dimName(id)) += ',';
        values.resize(ids.size());
    }
};

// Passes the points of a stream on to columns, so that PDAL never holds all of them.
class StreamTable : public pdal::FixedPointTable
{
public:
    StreamTable(const std::string& dimensions, Columns& columns, pdal::Stage& reader)
        : pdal::FixedPointTable(10000), m_dimensions(dimensions), m_columns(columns), m_reader(reader)
    {
    }

    void finalize() override
    {
        if (!layout()->finalized())
            m_columns.choose(m_dimensions, *layout());
        pdal::FixedPointTable::finalize();
    }

protected:
    void reset() override
    {
        const Classes classes(m_reader, *layout());
        pdal::PointRef point(*this, 0);
        for (std::size_t c = 0; c < m_columns.ids.size(); ++c)
            for (pdal::PointId i = 0; i < numPoints(); ++i)
            {
                point.setPointId(i);
                if (!skip(i))
                    m_columns.values[c].push_back(classes.valueOf(point, m_columns.ids[c]));
            }
        pdal::FixedPointTable::reset();
    }

private:
    const std::string m_dimensions;
    Columns& m_columns;
    pdal::Stage& m_reader;
};

// Collects what readers log.
class Listener
{
public:
    explicit Listener(pdal::LogPtr to) : log(pdal::Log::makeLog(to->leader(), &m_said)), m_to(to)
    {
        log->setLevel(to->getLevel());
    }

    // Passes it on. Throws for a field that readers.text cannot convert and reads as 0.
    void pass() const
    {
        if (m_said.str().find("Can't convert field") != std::string::npos)
            throw std::runtime_error(m_said.str());
        *m_to->getLogStream() << m_said.str() << std::flush;
    }

private:
    std::ostringstream m_said;

public:
    const pdal::LogPtr log;

private:
    const pdal::LogPtr m_to;
};

// "N points" of a file, by its header.
std::string pointsOf(const std::string& path)
{
    try
    {
        pdal::PipelineManager manager;
        const pdal::QuickInfo header = manager.makeReader(path, "").preview();
        if (header.valid())
            return std::to_string(header.m_pointCount) + " points";
    }
    catch (const std::exception&)
    {
    } // the words matter, not the number
    return "the points";
}

} // unnamed namespace

const char *FileReader::read(const std::string& path, const std::string& dimensions, const sp_cloud **cloud)
{
    try
    {
        load(path, dimensions);
        *cloud = &m_cloud;
        return nullptr;
    }
    catch (const std::bad_alloc&)
    {
        m_values.clear();
        m_error = "not enough memory for " + pointsOf(path) + " of " + path +
                  "; split the file (pdal superpoint survey), thin it (filters.sample), or raise the limit";
    }
    catch (const std::exception& e)
    {
        m_error = path + ": " + e.what();
    }
    catch (...)
    {
        m_error = path + ": unknown error while reading";
    }
    return m_error.c_str();
}

void FileReader::load(const std::string& path, const std::string& dimensions)
{
    m_values.clear();
    m_columns.clear();

    // A stage is prepared once: a second prepare() makes readers.las of PDAL 2.10 read its records
    // twice, and execute() and executeStream() prepare themselves.
    Columns columns;
    pdal::SpatialReference srs;
    pdal::PipelineManager manager;
    const Listener listener(m_log);
    manager.setLog(listener.log);
    manager.makeReader(path, "");
    if (manager.pipelineStreamable())
    {
        StreamTable table(dimensions, columns, *manager.getStage());
        manager.executeStream(table);
        srs = table.anySpatialReference();
    }
    else
    {
        manager.execute();
        columns.choose(dimensions, *manager.pointTable().layout());
        const Classes classes(*manager.getStage(), *manager.pointTable().layout());
        pdal::point_count_t count = 0;
        for (const pdal::PointViewPtr& view : manager.views())
            count += view->size();
        for (std::size_t c = 0; c < columns.ids.size(); ++c)
        {
            columns.values[c].reserve(count);
            for (const pdal::PointViewPtr& view : manager.views())
                for (pdal::PointId i = 0; i < view->size(); ++i)
                    columns.values[c].push_back(classes.valueOf(view->point(i), columns.ids[c]));
        }
        for (const pdal::PointViewPtr& view : manager.views())
            srs = view->spatialReference();
    }
    listener.pass();
    m_values = std::move(columns.values);
    m_names = std::move(columns.names);
    m_available = std::move(columns.available);
    m_wkt = srs.getWKT();

    for (std::size_t i = 0; i < m_names.size(); ++i)
        m_columns.push_back({m_names[i].c_str(), m_values[i].data(), m_values[i].size()});
    m_cloud = sp_cloud();
    m_cloud.columns = static_cast<uint32_t>(m_columns.size());
    m_cloud.column = m_columns.data();
    m_cloud.wkt = m_wkt.c_str();
    m_cloud.geographic = !srs.empty() && srs.isGeographic();
    m_cloud.available = m_available.c_str();
}

} // namespace superpoint
