// SPDX-License-Identifier: BSD-3-Clause
#include "Ledger.hpp"

#include <algorithm>
#include <limits>

namespace superpoint
{

namespace
{

// Gives classes derived from PointView what stages need, the rows of the point table that points are
// in, by a member that is the same in all versions from 2.2 to 2.10; no public function returns it.
struct Rows : public pdal::PointView {
    // A view of one row, at first a new one at the end of the table.
    explicit Rows(pdal::PointTableRef table) : pdal::PointView(table) { setField(pdal::Dimension::Id::X, 0, 0.0); }

    pdal::PointId& row() { return m_index[0]; }

    static auto& of(pdal::PointView& view) { return view.*(&Rows::m_index); }
};

void insert(std::vector<bool>& rows, pdal::PointView& view, pdal::point_count_t count)
{
    for (pdal::PointId i = 0; i < count; ++i) {
        const pdal::PointId row = Rows::of(view)[i];
        if (row >= rows.size())
            rows.resize(std::max<std::size_t>(row + 1, 2 * rows.size()));
        rows[row] = true;
    }
}

// The rows of views, and at least `least` entries.
std::vector<bool> rowsOf(const pdal::PointViewSet& views, std::size_t least)
{
    std::vector<bool> rows(least);
    for (const auto& view : views) insert(rows, *view, view->size());
    return rows;
}

} // unnamed namespace

std::shared_ptr<Ledger> Ledger::of(pdal::PointTableRef table, const std::string& dimension)
{
    const std::string name = "filters.superpoint." + dimension;
    std::shared_ptr<Ledger> ledger = table.artifactManager().get<Ledger>(name);
    if (!ledger) {
        ledger = std::make_shared<Ledger>();
        table.artifactManager().put(name, ledger);
    }
    return ledger;
}

uint32_t Ledger::last(const pdal::PointViewSet& views)
{
    if (m_given.empty())
        return m_last = 0;
    const std::vector<bool> inside = rowsOf(views, m_given.size());
    for (pdal::PointId row = 0; row < m_given.size(); ++row)
        if (m_given[row] && !inside[row])
            return m_last;
    return m_last = 0;
}

uint32_t Ledger::lastKept(pdal::PointTableRef table, const pdal::PointViewSet& views,
                          pdal::Dimension::Id dimension) const
{
    Rows point(table);
    const pdal::PointId all = point.row();
    const std::vector<bool> inside = rowsOf(views, all);
    double last = 0;
    for (pdal::PointId& row = point.row() = 0; row < all; ++row) {
        if (inside[row] || (row < m_given.size() && m_given[row]))
            continue;
        const double id = point.getFieldAs<double>(dimension, 0);
        if (id > last && id <= std::numeric_limits<uint32_t>::max()) // others never equal an id
            last = id;
    }
    return static_cast<uint32_t>(last);
}

void Ledger::add(pdal::PointView& view, pdal::point_count_t count, uint32_t last)
{
    insert(m_given, view, count);
    m_last = std::max(m_last, last);
    auto& rows = Rows::of(view);
    const auto begin = rows.begin(), middle = begin + count, end = begin + view.size();
    if (middle != end && std::is_sorted(begin, middle) && std::is_sorted(middle, end))
        std::inplace_merge(begin, middle, end);
}

} // namespace superpoint
