// SPDX-License-Identifier: BSD-3-Clause
#include "System.hpp"

#include <windows.h>

#include <io.h>
#include <psapi.h>

#include <cerrno>
#include <vector>

namespace superpoint
{

namespace
{

std::wstring wide(const std::string& text)
{
    std::wstring all(MultiByteToWideChar(CP_UTF8, 0, text.c_str(), -1, nullptr, 0), 0);
    MultiByteToWideChar(CP_UTF8, 0, text.c_str(), -1, &all[0], static_cast<int>(all.size()));
    all.pop_back();
    return all;
}

std::string narrow(const std::wstring& text)
{
    std::string all(WideCharToMultiByte(CP_UTF8, 0, text.c_str(), -1, nullptr, 0, nullptr, nullptr), 0);
    WideCharToMultiByte(CP_UTF8, 0, text.c_str(), -1, &all[0], static_cast<int>(all.size()), nullptr, nullptr);
    all.pop_back();
    return all;
}

} // unnamed namespace

std::string pluginFolder()
{
    static const char anchor = 0;
    HMODULE self;
    std::wstring path(32768, 0); // the longest there is
    if (!GetModuleHandleExW(GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS | GET_MODULE_HANDLE_EX_FLAG_UNCHANGED_REFCOUNT,
                            reinterpret_cast<LPCWSTR>(&anchor), &self))
        return "";
    path.resize(GetModuleFileNameW(self, &path[0], static_cast<DWORD>(path.size())));
    return narrow(path.substr(0, path.find_last_of(L"\\/")));
}

void *openLibrary(const std::string& path, std::string& error)
{
    HMODULE library = LoadLibraryW(wide(path).c_str());
    if (!library)
        error = path + ": Windows' error " + std::to_string(GetLastError());
    return reinterpret_cast<void *>(library);
}

// Windows looks up a name in one module only, so all modules of the process are searched.
void *findFunction(void *library, const char *name)
{
    std::vector<HMODULE> modules{static_cast<HMODULE>(library)};
    if (!library)
    {
        DWORD bytes = 0;
        EnumProcessModules(GetCurrentProcess(), nullptr, 0, &bytes);
        modules.assign(bytes / sizeof(HMODULE), nullptr);
        if (!EnumProcessModules(GetCurrentProcess(), modules.data(), bytes, &bytes))
            return nullptr;
    }
    for (HMODULE module : modules)
        if (auto function = module ? GetProcAddress(module, name) : nullptr)
            return reinterpret_cast<void *>(function);
    return nullptr;
}

bool readByAPerson()
{
    return _isatty(2) != 0;
}

bool writeToPipe(int pipe, const std::string& line)
{
    return _write(pipe, line.data(), static_cast<unsigned>(line.size())) >= 0 || errno != EPIPE;
}

} // namespace superpoint
