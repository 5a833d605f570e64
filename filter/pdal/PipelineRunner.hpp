#pragma once

#include <string>

namespace superpoint
{

// Runs pipelines in this process: a small file is done before another pdal has
// started.
class PipelineRunner
{
public:
    // As sp_host.pipeline in superpoint.h. Texts are valid until the next call.
    const char *pipeline(const char *folder, const char *stages, bool run, const char **answer);

private:
    std::string m_answer;
    std::string m_error;
};

} // namespace superpoint
