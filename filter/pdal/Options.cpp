#include "Options.hpp"

#include <cstdio>

namespace superpoint
{

const std::vector<Option>& options()
{
    static const std::vector<Option> all {
#include "options.inc"
    };
    return all;
}

namespace
{

std::string quoted(const std::string& text)
{
    std::string json("\"");
    for (unsigned char c : text)
    {
        if (c == '"' || c == '\\')
            (json += '\\') += c;
        else if (c < 0x20)
        {
            char escape[8];
            std::snprintf(escape, sizeof(escape), "\\u%04x", c);
            json += escape;
        }
        else
            json += c;
    }
    return json + '"';
}

// The position after the JSON string that begins at `at`.
std::size_t afterString(const std::string& json, std::size_t at)
{
    for (++at; at < json.size() && json[at] != '"'; ++at)
        if (json[at] == '\\')
            ++at;
    return at + 1;
}

} // unnamed namespace

std::string toJson(const std::vector<Setting>& settings)
{
    std::string json("{");
    for (const Setting& s : settings)
    {
        if (json.size() > 1)
            json += ',';
        // Every value crosses as the user wrote it: the library checks and explains.
        json += quoted(s.option->name) + ":" + quoted(s.value);
    }
    return json + "}";
}

std::vector<std::pair<std::string, std::string>> members(const std::string& json)
{
    std::vector<std::pair<std::string, std::string>> found;
    std::string key;
    std::size_t at = json.find('{');
    std::size_t start = std::string::npos; // of the current value
    int depth = 0;
    while (at < json.size())
    {
        const char c = json[at];
        if (c == '"')
        {
            const std::size_t end = afterString(json, at);
            if (depth == 1 && start == std::string::npos)
                key = json.substr(at + 1, end - at - 2);
            at = end;
            continue;
        }
        if (depth == 1 && c == ':' && start == std::string::npos)
            start = at + 1;
        if (c == '}' || c == ']')
            --depth;
        if (start != std::string::npos && ((depth == 1 && c == ',') || depth == 0))
        {
            found.emplace_back(key, json.substr(start, at - start));
            start = std::string::npos;
        }
        if (c == '{' || c == '[')
            ++depth;
        ++at;
    }
    return found;
}

} // namespace superpoint
