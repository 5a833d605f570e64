// SPDX-License-Identifier: BSD-3-Clause
#include "SuperpointFilter.hpp"

#include "Host.hpp"
#include "Reference.hpp"
#include "Version.hpp"

#include <pdal/PluginHelper.hpp>
#include <pdal/PointView.hpp>
#include <pdal/util/ProgramArgs.hpp>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <future>
#include <iostream>
#include <limits>
#include <new>
#include <sstream>
#include <system_error>
#include <thread>

namespace superpoint
{

namespace
{

// One option of the stage. Values are passed as text to the library, which checks them and has
// the defaults; `fallback` only shows the default to the user, and a test compares it with the
// library's.
struct Option {
    const char *name;
    const char *fallback;
    bool list; // may have several values, comma separated or as an array
    const char *help;
};

// Every option of filters.superpoint, in the order of the documentation.
const std::vector<Option> options{
#include "options.inc"
};

// Returns the type to register for values in an existing dimension, so that it holds both.
// PDAL does so for integers, but keeps a 32-bit float for all types.
pdal::Dimension::Type widened(pdal::Dimension::Type present, pdal::Dimension::Type wanted)
{
    using namespace pdal::Dimension;
    const bool mixed = (base(present) == BaseType::Floating) != (base(wanted) == BaseType::Floating);
    return mixed && size(wanted) + size(present) >= 8 ? Type::Double : wanted;
}

// Points that a thread reads at a time.
const std::size_t block = 1 << 15;

// Above this a 32-bit float cannot hold every whole number.
const uint32_t exactInFloat = 1u << 24;

} // unnamed namespace

SuperpointFilter::SuperpointFilter() : m_handle(0), m_table(nullptr), m_complete(true) {}

SuperpointFilter::~SuperpointFilter() { close(); }

std::string SuperpointFilter::getName() const { return "filters.superpoint"; }

void SuperpointFilter::addArgs(pdal::ProgramArgs& args)
{
    m_values.assign(options.size(), {""});
    m_args.clear();
    for (std::size_t i = 0; i < options.size(); ++i) {
        const Option& o = options[i];
        const auto add = [&](auto& value) {
            using Value = std::decay_t<decltype(value)>;
            m_args.push_back(*o.fallback ? &args.add(o.name, o.help, value, Value{o.fallback})
                                         : &args.add(o.name, o.help, value));
        };
        if (o.list)
            add(m_values[i]);
        else
            add(m_values[i].front());
    }
}

// Passes errors of the library on to PDAL.
template <typename Body> void SuperpointFilter::guard(Body body)
{
    try {
        body();
    } catch (const Error& e) {
        throwError(e.what());
    }
}

// Loads the library before anything is read, so that a wrong option or model ends the
// pipeline at once.
void SuperpointFilter::initialize()
{
    guard([this] { open(); });
}

// The text of an option, or "" if it is not given.
std::string SuperpointFilter::value(const std::string& name) const
{
    std::string text;
    for (std::size_t i = 0; i < m_args.size(); ++i)
        if (options[i].name == name && m_args[i]->set())
            for (const std::string& part : m_values[i]) text += (text.empty() ? "" : ",") + part;
    return text;
}

void SuperpointFilter::open()
{
    close();
    if (!m_library)
        m_library.reset(new Library({"libsuperpoint"}, value("device") != "cpu"));
    // Values are passed as text: the library checks them.
    std::vector<std::string> settings;
    for (std::size_t i = 0; i < m_args.size(); ++i)
        if (m_args[i]->set())
            settings.push_back(options[i].name + ("=" + value(options[i].name)));
    std::vector<const char *> texts;
    for (const std::string& s : settings) texts.push_back(s.c_str());
    m_handle = m_library->call(m_library->open, static_cast<int32_t>(texts.size()), texts.data(), Host(log()));
}

void SuperpointFilter::close()
{
    if (m_handle)
        m_library->close(m_handle);
    m_handle = 0;
}

void SuperpointFilter::addDimensions(pdal::PointLayoutPtr layout)
{
    guard([this, layout] { describe(layout); });
}

void SuperpointFilter::describe(pdal::PointLayoutPtr layout)
{
    std::string available;
    for (const auto id : layout->dims()) (available += layout->dimName(id)) += ',';
    std::istringstream lines(
        m_library->take(m_library->call(m_library->describe, m_handle, available.c_str(), Host(log()))));
    m_inputs.clear();
    m_outputs.clear();
    std::string role, name, type;
    while (lines >> role >> name >> type) {
        const pdal::Dimension::Id present = layout->findDim(name);
        const bool there = present != pdal::Dimension::Id::Unknown;
        if (role == "output") {
            pdal::Dimension::Type wanted = pdal::Dimension::type(type);
            if (wanted == pdal::Dimension::Type::None)
                throw Error("the library names an unknown type '" + type + "'");
            const std::string vote = value("vote");
            if (name == "Voted" + vote && size(layout->dimType(layout->findDim(vote))) > size(wanted))
                wanted = pdal::Dimension::Type::Signed32; // holds all labels
            if (there)
                wanted = widened(layout->dimType(present), wanted);
            m_outputs.push_back({name, layout->registerOrAssignDim(name, wanted), there});
        } else if (there)
            m_inputs.push_back({name, present, true});
    }
    const std::string sizes = value("target_size"); // one for each level
    const std::size_t levels = 1 + std::count(sizes.begin(), sizes.end(), ',');
    if (m_outputs.size() < levels)
        throw Error("the library names no output");
    m_levels.clear();
    for (std::size_t level = 0; level < levels; ++level) m_levels.push_back({&m_outputs[level], nullptr, 0, 0, 0});
}

void SuperpointFilter::ready(pdal::PointTableRef table)
{
    m_table = &table;
    for (IDs& ids : m_levels) ids.ledger = Ledger::of(table, ids.output->name);
}

// The views have the points that `where` selects; pointCount() counts all.
void SuperpointFilter::prerun(const pdal::PointViewSet& views)
{
    m_classes = Classes(*this, *m_table->layout());
    pdal::point_count_t passed = 0;
    m_passed.clear();
    for (const auto& view : views) {
        passed += view->size();
        m_passed.emplace_back(view, view->size());
    }
    if (passed == 0) // newer PDALs do not hand over empty views
        log()->get(pdal::LogLevel::Warning)
            << "nothing to segment: the input has no points, or `where` or the polygons of `area` select none"
            << std::endl;
    for (IDs& ids : m_levels) {
        ids.first = 0;
        ids.last = ids.ledger->last(views);
        if (passed == pointCount() || !ids.output->there)
            continue;
        const uint32_t kept = ids.ledger->lastKept(*m_table, views, ids.output->id);
        if (kept <= ids.last)
            continue;
        ids.last = kept;
        log()->get(pdal::LogLevel::Warning) << "points that `where` leaves out keep their " << ids.output->name
                                            << ", up to " << kept << "; new ids are above" << std::endl;
    }
}

void SuperpointFilter::filter(pdal::PointView& view)
{
    try {
        guard([this, &view] { segment(view); });
    } catch (const std::bad_alloc&) {
        throwError("no memory left for a view of " + std::to_string(view.size()) +
                   " points; split it (filters.splitter) or thin it (filters.sample)");
    }
}

// Calls task(0) to task(count - 1): with many points on as many threads as the option allows and there are processors.
template <typename Task> void SuperpointFilter::each(const pdal::PointView& view, std::size_t count, Task task) const
{
    const std::size_t processors = std::max(1u, std::thread::hardware_concurrency());
    const std::size_t given = std::strtoul(value("threads").c_str(), nullptr, 10);
    const std::size_t most = view.size() < 2 * block ? 1 : std::min(given > 0 ? given : processors, processors);
    std::atomic<std::size_t> next{0};
    const auto work = [&] {
        for (std::size_t i = next++; i < count; i = next++) task(i);
    };
    std::vector<std::future<void>> others;
    try {
        while (others.size() + 1 < std::min(count, most)) others.push_back(std::async(std::launch::async, work));
    } catch (const std::system_error&) { // no more threads: those that run do it all
    }
    work();
    for (std::future<void>& other : others) other.get();
}

void SuperpointFilter::segment(pdal::PointView& view)
{
    const std::size_t count = view.size();
    if (count == 0)
        return;
    {
        std::vector<Dimension> inputs{{"X", pdal::Dimension::Id::X, true},
                                      {"Y", pdal::Dimension::Id::Y, true},
                                      {"Z", pdal::Dimension::Id::Z, true}};
        inputs.insert(inputs.end(), m_inputs.begin(), m_inputs.end());
        std::vector<std::unique_ptr<double[]>> values;
        std::vector<sp_column> columns;
        for (const Dimension& input : inputs) {
            values.emplace_back(new double[count]);
            columns.push_back({input.name.c_str(), values.back().get(), count});
        }
        const std::size_t blocks = (count + block - 1) / block;
        each(view, inputs.size() * blocks, [&](std::size_t task) {
            const std::size_t c = task / blocks, first = task % blocks * block, last = std::min(first + block, count);
            for (pdal::PointId i = first; i < last; ++i) values[c][i] = valueOf(view, i, inputs[c].id);
        });
        const Reference reference(view.spatialReference(), *this);

        sp_cloud cloud{};
        cloud.columns = static_cast<uint32_t>(columns.size());
        cloud.column = columns.data();
        cloud.reference = reference.get();

        Host host(log());
        host.onRelease([&inputs, &values](const std::string& column) {
            for (std::size_t c = 0; c < inputs.size(); ++c)
                if (inputs[c].name == column)
                    values[c].reset();
        });
        m_library->call(m_library->segment, m_handle, &cloud, host);
    }
    // The ids first, as points with id 0 keep all other values. A view may have a row twice, of which the last value
    // stays, so one thread writes all of an output.
    writeBack(view, m_outputs.front());
    each(view, m_outputs.size() - 1, [&](std::size_t k) { writeBack(view, m_outputs[k + 1]); });
}

// The value of an input; only classes differ from the values in the view.
double SuperpointFilter::valueOf(pdal::PointView& view, pdal::PointId i, pdal::Dimension::Id id) const
{
    return id == pdal::Dimension::Id::Classification ? m_classes.valueOf(view.point(i), id)
                                                     : view.getFieldAs<double>(id, i);
}

// Writes one output. A value equal to the existing one is not written, because large 64-bit
// integers lose bits in double, and NaN is not an integer.
void SuperpointFilter::writeBack(pdal::PointView& view, const Dimension& output)
{
    std::vector<double> values(view.size());
    m_library->call(m_library->output, m_handle, output.name.c_str(), values.data(), values.size());
    for (IDs& ids : m_levels)
        if (ids.output == &output)
            return writeIDs(view, ids, values);
    for (pdal::PointId i = 0; i < view.size(); ++i) {
        if (!m_complete && view.getFieldAs<uint32_t>(m_levels.front().output->id, i) == 0)
            continue; // without finite coordinates
        double value = values[i];
        if (output.there) {
            const double before = valueOf(view, i, output.id);
            if (before == value || (std::isnan(before) && std::isnan(value)))
                continue;
        }
        if (m_classes.withFlags && output.id == pdal::Dimension::Id::Classification)
            value = withFlags(view, i, value);
        view.setField(output.id, i, value);
    }
}

// Returns a class with the flags of its point, which are in the same byte.
double SuperpointFilter::withFlags(const pdal::PointView& view, pdal::PointId i, double value) const
{
    const uint8_t flags = view.getFieldAs<uint8_t>(pdal::Dimension::Id::Classification, i) & classFlags;
    if (flags != 0 && value > 31)
        throw Error("point " + std::to_string(i) + " is marked synthetic, key-point or withheld, and this PDAL keeps " +
                    "that in Classification, where class " + std::to_string(static_cast<int>(value)) +
                    " leaves no room; set class_dimension, for example class_dimension=UserData");
    return value + flags;
}

// Writes ids, increased so that they are above the ids of other points; 0 stays. Points without finite
// coordinates have id 0, and keep all other values.
void SuperpointFilter::writeIDs(pdal::PointView& view, IDs& ids, const std::vector<double>& values)
{
    double first = std::numeric_limits<uint32_t>::max();
    for (const double id : values)
        if (id > 0)
            first = std::min(first, id);
    if (ids.first == 0 && first < std::numeric_limits<uint32_t>::max()) {
        ids.offset = ids.last >= first ? ids.last - static_cast<uint32_t>(first) + 1 : 0;
        ids.first = static_cast<uint32_t>(first) + ids.offset;
    }
    if (&ids == &m_levels.front())
        m_complete = std::find(values.begin(), values.end(), 0) == values.end();
    for (pdal::PointId i = 0; i < view.size(); ++i) {
        const double id = values[i] > 0 ? values[i] + ids.offset : 0;
        if (id > std::numeric_limits<uint32_t>::max())
            throw Error("ids would go beyond 2^32 - 1, for other points have " + ids.output->name + " up to " +
                        std::to_string(ids.last) + "; set dimension to another name");
        view.setField(ids.output->id, i, static_cast<uint32_t>(id));
        ids.last = std::max(ids.last, static_cast<uint32_t>(id));
    }
}

// Views may share points (filters.splitter with buffer), which then have the id of the last one, and coarser levels
// have fewer ids than the finest in each view. Renumbers the ids that are left without gaps, in their order. A point
// may be visited twice, so new ids are written in two steps, of which each changes only the other's values.
void SuperpointFilter::closeGaps(IDs& ids) const
{
    const auto change = [this, &ids](const std::function<uint32_t(uint32_t)>& renumbered) {
        for (const auto& [view, count] : m_passed)
            for (pdal::PointId i = 0; i < count; ++i) {
                const uint32_t id = view->getFieldAs<uint32_t>(ids.output->id, i);
                if (const uint32_t other = id < ids.first ? id : renumbered(id); other != id)
                    view->setField(ids.output->id, i, other);
            }
    };
    const uint32_t last = ids.last, all = last - ids.first + 1; // of which some may be on no point
    if (ids.first == 0 || m_passed.size() < 2 || all > std::numeric_limits<uint32_t>::max() - last)
        return;
    std::vector<uint32_t> numbers(all);
    change([&](uint32_t id) { return numbers[id - ids.first] = 1, id; });
    ids.last = ids.first - 1;
    for (uint32_t& number : numbers) number = number != 0 ? ++ids.last : 0;
    if (ids.last == last)
        return;
    change([&](uint32_t id) { return id > last ? id : id + all; });
    change([&](uint32_t id) { return id > last ? numbers[id - all - ids.first] : id; });
}

namespace
{

// Prints the metadata for a program that runs pdal: pdal itself writes them only if all later stages succeed.
void printMetadata(const std::string& json)
{
    const char *how = std::getenv("SUPERPOINT_METADATA");
    if (how && std::string(how) == "lines")
        std::cerr << "METADATA " << json << std::endl;
}

} // unnamed namespace

void SuperpointFilter::done(pdal::PointTableRef)
{
    for (IDs& ids : m_levels) {
        closeGaps(ids);
        for (const auto& [view, count] : m_passed) ids.ledger->add(*view, count, ids.last);
    }
    m_passed.clear();
    if (const uint32_t last = m_levels.front().last; last > exactInFloat)
        log()->get(pdal::LogLevel::Warning)
            << "ids go up to " << last << ", above 2^24 = " << exactInFloat
            << ": writers.bpf and other 32-bit float formats cannot hold them exactly; write LAS, LAZ or COPC"
            << std::endl;

    guard([this] {
        pdal::MetadataNode node = getMetadata();
        std::string all;
        std::istringstream lines(m_library->take(m_library->call(m_library->metadata, m_handle)));
        for (std::string name, value; lines >> name && std::getline(lines, value);) {
            node.addWithType(name, value.substr(1), "json", ""); // without the space between
            all += (all.empty() ? "{\"" : ",\"") + name + "\":" + value.substr(1);
        }
        printMetadata(all + "}");
    });
}

} // namespace superpoint

// Called by PDAL after it has loaded the plugin.
extern "C" void PF_initPlugin()
{
    if (!superpoint::builtForThisPdal("filters.superpoint"))
        return;
    static const pdal::PluginInfo info("filters.superpoint",
                                       "Oversegments points into superpoints: small, connected, uniform pieces",
                                       "https://doi.org/10.1109/CVPR.2019.00762");
    pdal::PluginManager<pdal::Stage>::registerPlugin<superpoint::SuperpointFilter>(info);
}
