#include "Ledger.hpp"

#include <algorithm>
#include <limits>

namespace superpoint
{

namespace
{

// The rows of the point table of a view's points. PDAL gives no access to stages, but to
// classes derived from PointView, in all versions from 2.2 to 2.10.
struct Rows : public pdal::PointView
{
    // A view of one row of the table, at first a new one at its end.
    explicit Rows(pdal::PointTableRef table) : pdal::PointView(table)
    {
        setField(pdal::Dimension::Id::X, 0, 0.0);
    }

    pdal::PointId row() const
    {
        return m_index[0];
    }
    void move(pdal::PointId row)
    {
        m_index[0] = row;
    }

    static pdal::PointId of(const pdal::PointView& view, pdal::PointId i)
    {
        return (view.*(&Rows::m_index))[i];
    }

    // Merges the first `kept` rows and the others, if both are in ascending order.
    static void merge(pdal::PointView& view, pdal::point_count_t kept)
    {
        auto& rows = view.*(&Rows::m_index);
        const auto begin = rows.begin(), middle = begin + kept, end = begin + view.size();
        if (std::is_sorted(begin, middle) && std::is_sorted(middle, end))
            std::inplace_merge(begin, middle, end);
    }
};

} // unnamed namespace

std::shared_ptr<Ledger> Ledger::of(pdal::PointTableRef table, const std::string& dimension)
{
    const std::string name = "filters.superpoint." + dimension;
    std::shared_ptr<Ledger> ledger = table.artifactManager().get<Ledger>(name);
    if (!ledger)
    {
        ledger = std::make_shared<Ledger>();
        table.artifactManager().put(name, ledger);
    }
    return ledger;
}

uint32_t Ledger::last(const pdal::PointViewSet& views)
{
    uint64_t again = 0;
    for (const auto& view : views)
        for (pdal::PointId i = 0; i < view->size(); ++i)
            again += has(Rows::of(*view, i));
    if (again >= m_count)
        m_last = 0;
    return m_last;
}

uint32_t Ledger::lastKept(pdal::PointTableRef table, const pdal::PointViewSet& views,
                          pdal::Dimension::Id dimension) const
{
    Rows point(table);
    std::vector<bool> inside(point.row());
    for (const auto& view : views)
        for (pdal::PointId i = 0; i < view->size(); ++i)
            inside[Rows::of(*view, i)] = true;
    double last = 0;
    for (pdal::PointId row = 0; row < inside.size(); ++row)
    {
        if (inside[row] || has(row))
            continue;
        point.move(row);
        const double id = point.getFieldAs<double>(dimension, 0);
        if (id > last && id <= std::numeric_limits<uint32_t>::max()) // others never equal an id
            last = id;
    }
    return static_cast<uint32_t>(last);
}

void Ledger::restoreOrder(pdal::PointView& view, pdal::point_count_t kept)
{
    if (kept < view.size())
        Rows::merge(view, kept);
}

void Ledger::add(const pdal::PointView& view, uint32_t last)
{
    for (pdal::PointId i = 0; i < view.size(); ++i)
    {
        const pdal::PointId row = Rows::of(view, i);
        if (row >= m_given.size())
            m_given.resize(std::max<std::size_t>(row + 1, 2 * m_given.size()));
        m_count += !m_given[row];
        m_given[row] = true;
    }
    m_last = std::max(m_last, last);
}

} // namespace superpoint
