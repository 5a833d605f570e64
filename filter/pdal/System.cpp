// SPDX-License-Identifier: BSD-3-Clause
#include "System.hpp"

#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include <cerrno>

namespace superpoint
{

std::string pluginFolder()
{
    static const char anchor = 0;
    Dl_info info;
    if (!dladdr(&anchor, &info) || !info.dli_fname)
        return "";
    const std::string path(info.dli_fname);
    const auto slash = path.rfind('/');
    return slash == std::string::npos ? "." : path.substr(0, slash);
}

// RTLD_LOCAL separates two Go libraries in one process.
void *openLibrary(const std::string& path, std::string& error)
{
    void *library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!library)
        error = dlerror();
    return library;
}

void *findFunction(void *library, const char *name)
{
    return dlsym(library ? library : RTLD_DEFAULT, name);
}

bool readByAPerson()
{
    return isatty(STDERR_FILENO) == 1;
}

// A closed pipe must not end the process by SIGPIPE.
bool writeToPipe(int pipe, const std::string& line)
{
    bool open = true;
    sigset_t only, before, pending;
    sigemptyset(&only);
    sigaddset(&only, SIGPIPE);
    sigpending(&pending);
    pthread_sigmask(SIG_BLOCK, &only, &before);
    if (write(pipe, line.data(), line.size()) < 0 && errno == EPIPE)
    {
        int taken;
        if (!sigismember(&pending, SIGPIPE)) // the one that write raised is waiting
            sigwait(&only, &taken);
        open = false;
    }
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    return open;
}

} // namespace superpoint
