// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <superpoint.h>

#include <pdal/Log.hpp>

#include <functional>
#include <string>

namespace superpoint
{

// The callbacks of superpoint.h: messages go to PDAL's log, progress to one line of the
// terminal, if standard error is one. A program that shows progress sets
// SUPERPOINT_PROGRESS=lines and reads lines `PROGRESS step percent` from standard error, or
// passes PDAL a pipe (pdal pipeline --progress) and reads lines `PROGRESS:step percent`. No
// exception leaves a callback.
class Host
{
public:
    explicit Host(pdal::LogPtr log, int pipe = -1); // pipe: a stage's m_progressFd
    ~Host();
    Host(const Host&) = delete;
    Host& operator=(const Host&) = delete;

    // Sets what frees a column of the cloud, by name, when it is not read any more.
    void onRelease(std::function<void(const std::string&)> free);

    operator const sp_host *() const
    {
        return &m_host;
    }

protected:
    static void log(void *context, int32_t level, const char *text);

    // Clears the progress line of the terminal.
    void clearLine();

    sp_host m_host;

private:
    static void progress(void *context, const char *step, double fraction);
    static void release(void *context, const char *column);
    void toPipe(long percent);

    pdal::LogPtr m_log;
    int m_pipe; // −1: none, or closed by its reader
    bool m_terminal;
    bool m_lines;   // SUPERPOINT_PROGRESS=lines
    bool m_line;    // a progress line is on the terminal
    long m_percent; // last percentage reported for m_step
    std::string m_step;
    std::function<void(const std::string&)> m_free;
};

} // namespace superpoint
