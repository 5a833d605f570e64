#include "SuperpointFilter.hpp"

#include "Host.hpp"

#include <pdal/PointView.hpp>
#include <pdal/util/ProgramArgs.hpp>

#include <new>
#include <sstream>

namespace superpoint
{

namespace
{

pdal::Dimension::Type typeOf(const std::string& name)
{
    using Type = pdal::Dimension::Type;
    if (name == "uint8")
        return Type::Unsigned8;
    if (name == "uint16")
        return Type::Unsigned16;
    if (name == "uint32")
        return Type::Unsigned32;
    if (name == "int32")
        return Type::Signed32;
    if (name == "float")
        return Type::Float;
    if (name == "double")
        return Type::Double;
    throw Error("the library names an unknown type '" + name + "'");
}

// Above this a 32-bit float cannot hold every whole number.
const uint32_t exactInFloat = 1u << 24;

} // unnamed namespace

SuperpointFilter::SuperpointFilter() : m_handle(0), m_table(nullptr), m_offset(0), m_last(0)
{
}

SuperpointFilter::~SuperpointFilter()
{
    close();
}

std::string SuperpointFilter::getName() const
{
    return "filters.superpoint";
}

void SuperpointFilter::addArgs(pdal::ProgramArgs& args)
{
    m_values.assign(options().size(), std::string());
    m_args.clear();
    for (std::size_t i = 0; i < options().size(); ++i)
    {
        const Option& o = options()[i];
        m_args.push_back(*o.fallback ? &args.add(o.name, o.help, m_values[i], std::string(o.fallback))
                                     : &args.add(o.name, o.help, m_values[i]));
    }
}

// Opens the library here, before anything is read: a wrong option or model
// ends the pipeline at once.
void SuperpointFilter::initialize()
{
    try
    {
        open();
    }
    catch (const Error& e)
    {
        throwError(e.what());
    }
}

// The text of an option as it was given, or "".
std::string SuperpointFilter::value(const std::string& name) const
{
    for (std::size_t i = 0; i < m_args.size(); ++i)
        if (options()[i].name == name && m_args[i]->set())
            return m_values[i];
    return "";
}

void SuperpointFilter::open()
{
    close();
    if (!m_library)
        m_library.reset(new Library({"libsuperpoint"}, value("device") != "cpu"));
    // Every value crosses as the user wrote it: the library checks and explains.
    std::vector<std::string> settings;
    for (std::size_t i = 0; i < m_args.size(); ++i)
        if (m_args[i]->set())
            settings.push_back(options()[i].name + ("=" + m_values[i]));
    std::vector<const char *> texts;
    for (const std::string& s : settings)
        texts.push_back(s.c_str());
    Host host(log());
    char *error = nullptr;
    m_handle = m_library->open(static_cast<int32_t>(texts.size()), texts.data(), host, &error);
    if (!m_handle)
        m_library->fail(error);
}

void SuperpointFilter::close()
{
    if (m_handle)
        m_library->close(m_handle);
    m_handle = 0;
}

void SuperpointFilter::addDimensions(pdal::PointLayoutPtr layout)
{
    try
    {
        describe(layout);
    }
    catch (const Error& e)
    {
        throwError(e.what());
    }
}

void SuperpointFilter::describe(pdal::PointLayoutPtr layout)
{
    std::string available;
    for (const auto id : layout->dims())
        (available += layout->dimName(id)) += ',';

    Host host(log());
    char *error = nullptr;
    std::istringstream lines(m_library->take(m_library->describe(m_handle, available.c_str(), host, &error), error));
    m_inputs.clear();
    m_outputs.clear();
    std::string role, name, type;
    while (lines >> role >> name >> type)
    {
        if (role == "output")
            m_outputs.push_back({name, layout->registerOrAssignDim(name, typeOf(type))});
        else if (layout->findDim(name) != pdal::Dimension::Id::Unknown)
            m_inputs.push_back({name, layout->findDim(name)});
    }
    if (m_outputs.empty())
        throw Error("the library names no output");
}

void SuperpointFilter::ready(pdal::PointTableRef table)
{
    m_table = &table;
    m_ledger = Ledger::of(table, m_outputs.front().name);
}

// The views have the points that `where` lets pass; pointCount() counts all.
void SuperpointFilter::prerun(const pdal::PointViewSet& views)
{
    m_offset = m_last = m_ledger->last(views);
    pdal::point_count_t passed = 0;
    for (const auto& view : views)
        passed += view->size();
    if (passed == 0) // newer PDALs do not hand over empty views
        log()->get(pdal::LogLevel::Warning) << "no points come here; nothing to segment" << std::endl;
    if (passed == pointCount())
        return;
    std::vector<pdal::Dimension::Id> outputs;
    for (const Dimension& output : m_outputs)
        outputs.push_back(output.id);
    m_ledger->clearOthers(*m_table, views, outputs);
}

void SuperpointFilter::filter(pdal::PointView& view)
{
    try
    {
        segment(view);
    }
    catch (const Error& e)
    {
        throwError(e.what());
    }
    catch (const std::bad_alloc&)
    {
        throwError("no memory left for a view of " + std::to_string(view.size()) +
                   " points; split it (filters.splitter) or thin it (filters.sample)");
    }
}

void SuperpointFilter::segment(pdal::PointView& view)
{
    const std::size_t count = view.size();
    if (count == 0)
        return;
    char *error = nullptr;
    {
        std::vector<Dimension> inputs{
            {"X", pdal::Dimension::Id::X}, {"Y", pdal::Dimension::Id::Y}, {"Z", pdal::Dimension::Id::Z}};
        inputs.insert(inputs.end(), m_inputs.begin(), m_inputs.end());
        std::vector<std::vector<double>> values(inputs.size(), std::vector<double>(count));
        std::vector<sp_column> columns;
        for (std::size_t c = 0; c < inputs.size(); ++c)
        {
            for (pdal::PointId i = 0; i < count; ++i)
                values[c][i] = view.getFieldAs<double>(inputs[c].id, i);
            columns.push_back({inputs[c].name.c_str(), values[c].data(), values[c].size()});
        }
        const pdal::SpatialReference srs = view.spatialReference();
        const std::string wkt = srs.getWKT();

        sp_cloud cloud{};
        cloud.columns = static_cast<uint32_t>(columns.size());
        cloud.column = columns.data();
        cloud.wkt = wkt.c_str();
        cloud.geographic = !srs.empty() && srs.isGeographic();

        Host host(log(), m_progressFd);
        if (!m_library->segment(m_handle, &cloud, host, &error))
            m_library->fail(error);
    }
    for (const Dimension& output : m_outputs)
        writeBack(view, output, output.id == m_outputs.front().id ? m_offset : 0);
    m_ledger->add(view, m_last);
}

void SuperpointFilter::writeBack(pdal::PointView& view, const Dimension& output, uint32_t offset)
{
    std::vector<double> values(view.size());
    char *error = nullptr;
    if (!m_library->output(m_handle, output.name.c_str(), values.data(), values.size(), &error))
        m_library->fail(error);
    if (&output != &m_outputs.front())
    {
        for (pdal::PointId i = 0; i < view.size(); ++i)
            view.setField(output.id, i, values[i]);
        return;
    }
    for (pdal::PointId i = 0; i < view.size(); ++i)
    {
        const uint32_t id = static_cast<uint32_t>(values[i]) + offset;
        view.setField(output.id, i, id);
        m_last = std::max(m_last, id);
    }
}

void SuperpointFilter::done(pdal::PointTableRef)
{
    if (m_last > exactInFloat)
        log()->get(pdal::LogLevel::Warning)
            << "ids go up to " << m_last << ", above 2^24 = " << exactInFloat
            << ": writers.bpf and other 32-bit float formats cannot hold them exactly; write LAS, LAZ or COPC"
            << std::endl;

    char *error = nullptr;
    try
    {
        pdal::MetadataNode node = getMetadata();
        std::istringstream lines(m_library->take(m_library->metadata(m_handle, &error), error));
        for (std::string name, value; lines >> name && std::getline(lines, value);)
            node.addWithType(name, value.substr(1), "json", ""); // without the space between
    }
    catch (const Error& e)
    {
        throwError(e.what());
    }
}

} // namespace superpoint
