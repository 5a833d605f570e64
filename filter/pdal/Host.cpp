// SPDX-License-Identifier: BSD-3-Clause
#include "Host.hpp"

#include <unistd.h>

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <utility>

namespace superpoint
{

Host::Host(pdal::LogPtr log, int seconds)
    : m_host(), m_log(log), m_terminal(isatty(STDERR_FILENO) == 1), m_lines(false), m_seconds(seconds)
{
    const char *how = std::getenv("SUPERPOINT_PROGRESS");
    m_lines = how && std::strcmp(how, "lines") == 0;
    if (how && seconds > 0 && std::atoi(how) > 0)
        m_seconds = std::atoi(how);
    m_host.context = this;
    m_host.log = &Host::log;
    m_host.progress = &Host::progress;
}

Host::~Host() { clearLine(); }

void Host::onRelease(std::function<void(const std::string&)> free)
{
    m_free = std::move(free);
    m_host.release = &Host::release;
}

void Host::release(void *context, const char *column)
{
    try {
        static_cast<Host *>(context)->m_free(column);
    } catch (...) {
    } // what is not freed now is freed at the end
}

void Host::clearLine()
{
    if (m_line)
        std::cerr << "\r\033[K" << std::flush;
    m_line = false;
}

void Host::log(void *context, int32_t level, const char *text)
{
    try {
        Host& host = *static_cast<Host *>(context);
        host.clearLine();
        if (host.m_log)
            host.m_log->get(static_cast<pdal::LogLevel>(level)) << text << std::endl;
    } catch (...) {
    } // a message that cannot be written is lost
}

void Host::progress(void *context, const char *step, double fraction)
{
    try {
        Host& host = *static_cast<Host *>(context);
        if (host.m_step != step) {
            host.clearLine();
            if (host.m_log)
                host.m_log->get(pdal::LogLevel::Debug) << "step " << step << std::endl;
            host.m_step = step;
            host.m_percent = -1;
        }
        const long percent = std::lround(fraction * 100);
        if (percent == host.m_percent)
            return;
        host.m_percent = percent;
        const auto now = std::chrono::steady_clock::now();
        if (host.m_lines) {
            std::cerr << "PROGRESS " << step << ' ' << percent << std::endl;
        } else if (host.m_terminal) {
            const int width = 30;
            const int full = static_cast<int>(std::lround(fraction * width));
            std::cerr << "\r\033[K" << step << " [" << std::string(full, '#') << std::string(width - full, ' ') << "] "
                      << percent << " %" << std::flush;
            host.m_line = true;
        } else if (host.m_seconds > 0 && now - host.m_logged >= std::chrono::seconds(host.m_seconds)) {
            std::cerr << step << ' ' << percent << " %" << std::endl;
            host.m_logged = now;
        }
    } catch (...) {
    } // progress is only for the eye
}

} // namespace superpoint
