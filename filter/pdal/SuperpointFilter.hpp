// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "ClassFlags.hpp"
#include "Ledger.hpp"
#include "Library.hpp"

#include <pdal/Filter.hpp>

#include <memory>

namespace superpoint
{

// filters.superpoint: passes each view to the library and writes the outputs. It handles
// dimensions, options and ids; the library has the method.
class SuperpointFilter : public pdal::Filter
{
public:
    SuperpointFilter();
    ~SuperpointFilter();

    std::string getName() const override;

private:
    struct Dimension {
        std::string name;
        pdal::Dimension::Id id;
        bool there; // before this stage added its own
    };

    // The ids of a level of superpoints.
    struct IDs {
        const Dimension *output;
        std::shared_ptr<Ledger> ledger; // ids given so far in this table
        uint32_t first;                 // id written; 0: none yet
        uint32_t offset;                // added to the library's ids
        uint32_t last;                  // largest id written, or that other points have
    };

    void addArgs(pdal::ProgramArgs& args) override;
    void initialize() override;
    void addDimensions(pdal::PointLayoutPtr layout) override;
    void ready(pdal::PointTableRef table) override;
    void prerun(const pdal::PointViewSet& views) override;
    void filter(pdal::PointView& view) override;
    void done(pdal::PointTableRef table) override;

    template <typename Body> void guard(Body body);
    std::string value(const std::string& name) const;
    void open();
    void close();
    void describe(pdal::PointLayoutPtr layout);
    void segment(pdal::PointView& view);
    template <typename Task> void each(const pdal::PointView& view, std::size_t count, Task task) const;
    double valueOf(pdal::PointView& view, pdal::PointId i, pdal::Dimension::Id id) const;
    void writeBack(pdal::PointView& view, const Dimension& output);
    void writeIDs(pdal::PointView& view, IDs& ids, const std::vector<double>& values);
    void closeGaps(IDs& ids) const;
    double withFlags(const pdal::PointView& view, pdal::PointId i, double value) const;

    std::vector<std::vector<std::string>> m_values; // of options, in their order; several of a list
    std::vector<pdal::Arg *> m_args;
    std::unique_ptr<Library> m_library;
    uint64_t m_handle;
    std::vector<Dimension> m_inputs;
    std::vector<Dimension> m_outputs;                                         // dimensions of m_levels first
    std::vector<IDs> m_levels;                                                // the finest first
    pdal::BasePointTable *m_table;                                            // while the pipeline runs
    std::vector<std::pair<pdal::PointViewPtr, pdal::point_count_t>> m_passed; // views, and points that passed `where`
    Classes m_classes;                                                        // of the points as their files have them
    bool m_complete;                                                          // no point of the view has id 0
};

} // namespace superpoint
