#include "FileReader.hpp"

#include <pdal/PipelineManager.hpp>
#include <pdal/PointView.hpp>
#include <pdal/Stage.hpp>

#include <sstream>

namespace superpoint
{

const char *FileReader::read(const std::string& path, const std::string& dimensions, const sp_cloud **cloud)
{
    try
    {
        load(path, dimensions);
        *cloud = &m_cloud;
        return nullptr;
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
    m_columns.clear();
    m_names.clear();
    m_namePointers.clear();
    m_valuePointers.clear();
    m_available.clear();
    m_wkt.clear();

    pdal::PipelineManager manager;
    manager.setLog(m_log);
    manager.makeReader(path, "");
    manager.prepare();
    manager.execute();
    const pdal::PointLayoutPtr layout = manager.pointTable().layout();

    std::vector<pdal::Dimension::Id> ids {
        pdal::Dimension::Id::X, pdal::Dimension::Id::Y, pdal::Dimension::Id::Z };
    std::istringstream list(dimensions);
    for (std::string name; std::getline(list, name, ',');)
    {
        const pdal::Dimension::Id id = layout->findDim(name);
        if (id == pdal::Dimension::Id::Unknown)
            continue;
        ids.push_back(id);
        m_names.push_back(name);
    }
    for (const auto id : layout->dims())
        (m_available += layout->dimName(id)) += ',';

    m_columns.resize(ids.size());
    bool geographic = false;
    for (const pdal::PointViewPtr& view : manager.views())
    {
        for (std::size_t c = 0; c < ids.size(); ++c)
            for (pdal::PointId i = 0; i < view->size(); ++i)
                m_columns[c].push_back(view->getFieldAs<double>(ids[c], i));
        const pdal::SpatialReference srs = view->spatialReference();
        m_wkt = srs.getWKT();
        geographic = !srs.empty() && srs.isGeographic();
    }

    for (std::size_t i = 0; i < m_names.size(); ++i)
    {
        m_namePointers.push_back(m_names[i].c_str());
        m_valuePointers.push_back(m_columns[3 + i].data());
    }
    m_cloud = sp_cloud();
    m_cloud.count = m_columns[0].size();
    m_cloud.x = m_columns[0].data();
    m_cloud.y = m_columns[1].data();
    m_cloud.z = m_columns[2].data();
    m_cloud.columns = static_cast<uint32_t>(m_names.size());
    m_cloud.names = m_namePointers.data();
    m_cloud.values = m_valuePointers.data();
    m_cloud.wkt = m_wkt.c_str();
    m_cloud.geographic = geographic;
    m_cloud.available = m_available.c_str();
}

} // namespace superpoint
