// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <superpoint.h>

#include <pdal/Log.hpp>

#include <chrono>
#include <functional>
#include <string>

namespace superpoint
{

// The callbacks of superpoint.h: messages go to PDAL's log, progress to one line of the
// terminal, if standard error is one, and of commands else to a line for a log every 30 seconds, or
// SUPERPOINT_PROGRESS seconds. A program that shows progress sets SUPERPOINT_PROGRESS=lines and
// reads lines `PROGRESS step percent` from standard error. No exception leaves a callback.
class Host
{
public:
    explicit Host(pdal::LogPtr log, int seconds = 0);
    ~Host();
    Host(const Host&) = delete;
    Host& operator=(const Host&) = delete;

    // Sets what frees a column of the cloud, by name, when it is not read any more.
    void onRelease(std::function<void(const std::string&)> free);

    operator const sp_host *() const { return &m_host; }

protected:
    static void log(void *context, int32_t level, const char *text);

    // Clears the progress line of the terminal.
    void clearLine();

    sp_host m_host;

private:
    static void progress(void *context, const char *step, double fraction);
    static void release(void *context, const char *column);

    pdal::LogPtr m_log;
    bool m_terminal;
    bool m_lines;        // SUPERPOINT_PROGRESS=lines
    int m_seconds;       // between lines for a log; 0: none
    bool m_line = false; // a progress line is on the terminal
    long m_percent = -1; // last percentage reported for m_step
    std::string m_step;
    std::chrono::steady_clock::time_point m_logged = std::chrono::steady_clock::now(); // last line for a log
    std::function<void(const std::string&)> m_free;
};

} // namespace superpoint
