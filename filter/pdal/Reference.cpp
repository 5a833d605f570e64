// SPDX-License-Identifier: BSD-3-Clause
#include "Reference.hpp"

#include "Symbol.hpp"

#include <pdal/PipelineWriter.hpp>
#include <pdal/util/Utils.hpp>

#include <algorithm>
#include <memory>
#include <sstream>
#include <vector>

namespace superpoint
{

namespace
{

// GDAL's C interface to spatial references (ogr_srs_api.h). Its handles are pointers.
struct Osr {
    void *(*create)(const char *wkt) = Symbol{"OSRNewSpatialReference"};
    void (*release)(void *srs) = Symbol{"OSRRelease"};
    const char *(*authority)(void *srs, const char *node) = Symbol{"OSRGetAuthorityName"};
    const char *(*code)(void *srs, const char *node) = Symbol{"OSRGetAuthorityCode"};
    void **(*matches)(void *srs, char **options, int *count, int **confidence) = Symbol{"OSRFindMatches"};
    void (*releaseAll)(void **list) = Symbol{"OSRFreeSRSArray"};
    void (*free)(void *memory) = Symbol{"VSIFree"};
    void (*pushHandler)(void *handler) = Symbol{"CPLPushErrorHandler"};
    void (*popHandler)() = Symbol{"CPLPopErrorHandler"};
    void *quiet = Symbol{"CPLQuietErrorHandler"}; // the handler that prints nothing

    std::string codeOf(void *srs) const
    {
        const char *name = authority(srs, nullptr), *number = code(srs, nullptr);
        return name && number ? std::string(name) + ":" + number : "";
    }
};

// Keeps GDAL from printing errors, if the program does not hide its GDAL, as Python does.
class Quiet
{
public:
    Quiet()
    {
        try {
            static const Osr osr;
            osr.pushHandler(osr.quiet);
            m_osr = &osr;
        } catch (const std::exception&) {
        }
    }
    ~Quiet()
    {
        if (m_osr)
            m_osr->popHandler();
    }
    Quiet(const Quiet&) = delete;
    Quiet& operator=(const Quiet&) = delete;

private:
    const Osr *m_osr = nullptr;
};

const int Likely = 90; // confidence of OSRFindMatches: all but the name is equal

// The code of a reference, "EPSG:32632", that its text states or that is equal to it; "" if there is none.
std::string codeOf(const std::string& wkt)
{
    static const Osr osr;
    const std::shared_ptr<void> srs(osr.create(wkt.c_str()), osr.release);
    if (!srs)
        return "";
    std::string found = osr.codeOf(srs.get());
    if (!found.empty())
        return found;
    int count = 0, *confidence = nullptr;
    void **list = osr.matches(srs.get(), nullptr, &count, &confidence);
    for (int i = 0; i < count && confidence[i] >= Likely && !pdal::Utils::startsWith(found, "EPSG:"); ++i)
        found = osr.codeOf(list[i]);
    osr.releaseAll(list);
    osr.free(confidence);
    return found;
}

// A reference in any notation, without a transformation to WGS 84; an empty one if PDAL cannot read it.
pdal::SpatialReference parse(std::string text)
{
    const auto at = text.find("TOWGS84["), comma = text.rfind(',', at), end = text.find(']', at);
    if (at != std::string::npos && comma != std::string::npos && end != std::string::npos)
        text.erase(comma, end + 1 - comma);
    try {
        return text.empty() ? pdal::SpatialReference() : pdal::SpatialReference(text);
    } catch (const std::exception&) {
        return pdal::SpatialReference();
    }
}

// The code of the horizontal part. GDAL finds more codes by the text itself, which may have another
// order of axes.
std::string codeOf(const pdal::SpatialReference& srs)
{
    return codeOf(srs.getVertical().empty() ? srs.getWKT() : srs.getHorizontal());
}

// The text in WKT 1; unchanged if WKT 1 has no such reference, for example one of three dimensions; "" if
// GDAL cannot read it.
std::string readable(const pdal::SpatialReference& srs)
{
    try {
        const Quiet quiet; // that WKT 1 has none is no error
        return srs.getWKT1();
    } catch (const std::exception&) {
        return srs.getHorizontal().empty() ? "" : srs.getWKT();
    }
}

// Reports whether a text is a local system without a unit.
bool unitless(const std::string& text)
{
    const bool local = pdal::Utils::startsWith(text, "LOCAL_CS[") || pdal::Utils::startsWith(text, "ENGCRS[");
    return local && text.find("UNIT[") == std::string::npos;
}

// Reports whether a system of heights has a name: PDAL makes one without of the unit in GeoTIFF keys alone.
bool named(const std::string& vertical)
{
    const auto name = vertical.find('"');
    return name != std::string::npos && vertical.compare(name, 2, "\"\"") != 0 &&
           vertical.compare(name, 9, "\"unknown\"") != 0;
}

// A projection record (base64) of the first LAS file before a stage; "" if there is none, or an option replaces it.
std::string recordOf(pdal::Stage& stage, const std::string& id)
{
    for (pdal::Stage *input : stage.getInputs()) {
        const std::string data = recordOf(*input, id);
        if (!data.empty())
            return data;
    }
    if (!stage.getInputs().empty())
        return "";
    std::ostringstream options; // there is no other access to the options of a stage
    pdal::PipelineWriter::writePipeline(&stage, options);
    if (options.str().find("\"override_srs\"") != std::string::npos)
        return "";
    for (const pdal::MetadataNode& vlr : stage.getMetadata().children()) {
        if (pdal::Utils::startsWith(vlr.name(), "vlr_") && vlr.findChild("user_id").value() == "LASF_Projection" &&
            vlr.findChild("record_id").value() == id)
            return vlr.findChild("data").value();
    }
    return "";
}

} // unnamed namespace

Reference::Reference(const std::string& text) : m_text(text)
{
    const pdal::SpatialReference srs = parse(text);
    if (text.find('[') == std::string::npos && !srs.empty())
        m_text = srs.getWKT();
    m_read = readable(srs);
    try {
        m_code = codeOf(srs);
    } catch (const std::exception&) {
    } // a program that hides its GDAL, as Python does, has the codes that texts state
}

Reference::Reference(const pdal::SpatialReference& srs, pdal::Stage& stage) : Reference(srs.getWKT())
{
    const std::string record = recordOf(stage, "2112");
    const std::vector<uint8_t> text = pdal::Utils::base64_decode(record);
    const auto end = std::find(text.begin(), text.end(), 0);
    const std::string stated(text.begin(), end);
    if (srs.empty() && std::any_of(text.begin(), end, [](uint8_t c) { return c > ' '; }))
        *this = Reference(stated); // PDAL could not read it
    else if (unitless(stated))
        *this = Reference(stated);          // GDAL adds metres
    else if (srs.empty() || record.empty()) // else well-known text replaces the keys
        m_keys = recordOf(stage, "34735");
}

sp_reference Reference::get() const
{
    return {m_text.c_str(), m_text.empty() ? nullptr : m_read.c_str(), m_code.c_str(), m_keys.c_str()};
}

bool Reference::same(const std::string& a, const std::string& b)
{
    const pdal::SpatialReference first = parse(a), second = parse(b);
    const std::string up = first.getVertical(), other = second.getVertical();
    if (first.empty() || second.empty())
        return false;
    if (named(up) && named(other) && pdal::SpatialReference(up) != pdal::SpatialReference(other))
        return false;
    const std::string code = codeOf(first);
    return (!code.empty() && code == codeOf(second)) ||
           pdal::SpatialReference(first.getHorizontal()) == pdal::SpatialReference(second.getHorizontal());
}

} // namespace superpoint
