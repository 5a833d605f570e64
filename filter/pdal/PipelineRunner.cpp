#include "PipelineRunner.hpp"

#include <pdal/Log.hpp>
#include <pdal/Metadata.hpp>
#include <pdal/PDALUtils.hpp>
#include <pdal/PipelineManager.hpp>
#include <pdal/PointLayout.hpp>
#include <pdal/PointTable.hpp>
#include <pdal/Stage.hpp>

#include <filesystem>
#include <sstream>

namespace superpoint
{

namespace
{

// Makes a folder the current one while it lives: names in a pipeline are taken from
// there, as by a pdal that is started in it.
class Inside
{
public:
    explicit Inside(const char *folder)
    {
        std::error_code gone; // the current folder may have been removed
        m_before = std::filesystem::current_path(gone);
        std::filesystem::current_path(std::filesystem::u8path(folder));
    }

    ~Inside()
    {
        std::error_code ignored;
        if (!m_before.empty())
            std::filesystem::current_path(m_before, ignored);
    }

    Inside(const Inside&) = delete;
    Inside& operator=(const Inside&) = delete;

private:
    std::filesystem::path m_before;
};

std::string answerOf(pdal::PipelineManager& manager, bool run, const std::string& log)
{
    pdal::MetadataNode root;
    root.add("log", log);
    if (run)
    {
        root.add("metadata").add(manager.getMetadata()); // whose name is stages
        return pdal::Utils::toJSON(root);
    }
    const pdal::Stage *reader = manager.getStage();
    root.add("reader", reader->getName());
    root.add(reader->getMetadata().clone("metadata"));
    root.add(manager.pointTable().layout()->toMetadata().clone("schema"));
    return pdal::Utils::toJSON(root);
}

} // unnamed namespace

const char *PipelineRunner::pipeline(const char *folder, const char *stages, bool run, const char **answer)
{
    std::ostringstream log;
    try
    {
        const Inside inside(folder);
        pdal::PipelineManager manager;
        manager.setLog(pdal::Log::makeLog("pdal pipeline", &log));
        std::istringstream text(stages);
        manager.readPipeline(text);
        if (run)
            manager.execute(pdal::ExecMode::PreferStream);
        else
            manager.prepare();
        m_answer = answerOf(manager, run, log.str());
        *answer = m_answer.c_str();
        return nullptr;
    }
    catch (const std::exception& e)
    {
        m_error = log.str() + e.what();
    }
    catch (...)
    {
        m_error = log.str() + "unknown error";
    }
    return m_error.c_str();
}

} // namespace superpoint
