// SPDX-License-Identifier: BSD-3-Clause
#include "Library.hpp"

#include <dlfcn.h>
#include <pdal/util/FileUtils.hpp>
#include <probe.h>

namespace superpoint
{

namespace
{

#ifdef __APPLE__
const char *const sharedLibrary = ".dylib";
#else
const char *const sharedLibrary = ".so";
#endif

bool gpuPresent()
{
    int status;
    return superpoint_probe(&status) > 0;
}

// The folder of the plugin that this code is part of.
std::string pluginFolder()
{
    static const char anchor = 0;
    Dl_info info;
    if (!dladdr(&anchor, &info) || !info.dli_fname)
        throw Error("cannot find the folder of this plugin");
    const std::string path(info.dli_fname);
    const auto slash = path.rfind('/');
    return slash == std::string::npos ? "." : path.substr(0, slash);
}

template <typename F> void bind(void *library, const std::string& path, const char *name, F& function)
{
    function = reinterpret_cast<F>(dlsym(library, name));
    if (!function)
        throw Error(path + " has no function " + name + "; install it again from the same build as the plugin");
}

} // unnamed namespace

Library::Library(std::vector<std::string> names, bool gpu)
{
    if (gpu && gpuPresent())
        names.insert(names.begin(), "libsuperpoint_cuda");
    checkLimits();
    const std::string folder = pluginFolder();
    std::string path;
    for (const std::string& name : names) {
        path = folder + "/" + name + sharedLibrary;
        if (pdal::FileUtils::fileExists(path))
            break;
    }
    // The Go runtime cannot be unloaded, so the library stays open until the
    // process ends. RTLD_LOCAL separates two Go libraries in one process.
    void *library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!library)
        throw Error(std::string("cannot load the superpoint library: ") + dlerror() +
                    "; put it beside the plugin, as `cmake --install` does");

    decltype(&sp_abi_version) version;
    bind(library, path, "sp_abi_version", version);
    if (version() != SP_ABI_VERSION)
        throw Error(path + " has ABI version " + std::to_string(version()) + ", this plugin needs " +
                    std::to_string(SP_ABI_VERSION) + "; install both from the same build");

    bind(library, path, "sp_open", open);
    bind(library, path, "sp_describe", describe);
    bind(library, path, "sp_segment", segment);
    bind(library, path, "sp_output", output);
    bind(library, path, "sp_metadata", metadata);
    bind(library, path, "sp_command", command);
    bind(library, path, "sp_free", free);
    bind(library, path, "sp_close", close);
}

std::string Library::take(char *text) const
{
    const std::string copy(text);
    free(text);
    return copy;
}

} // namespace superpoint
