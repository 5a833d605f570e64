// SPDX-License-Identifier: BSD-3-Clause
#include "Reference.hpp"

#include "Symbol.hpp"

#include <pdal/PipelineWriter.hpp>
#include <pdal/util/Utils.hpp>

#include <algorithm>
#include <cmath>
#include <memory>
#include <sstream>

namespace superpoint
{

namespace
{

// PROJ's C interface (proj.h). Its objects are pointers.
struct Proj
{
    void *(*contextCreate)() = Symbol{"proj_context_create"};
    void *(*contextDestroy)(void *context) = Symbol{"proj_context_destroy"};
    void (*logTo)(void *context, void *data, void (*log)(void *, int, const char *)) = Symbol{"proj_log_func"};
    void *(*create)(void *context, const char *text) = Symbol{"proj_create"};
    void *(*destroy)(void *object) = Symbol{"proj_destroy"};
    int (*type)(const void *object) = Symbol{"proj_get_type"};
    const char *(*name)(const void *object) = Symbol{"proj_get_name"};
    const char *(*authority)(const void *object, int number) = Symbol{"proj_get_id_auth_name"};
    const char *(*code)(const void *object, int number) = Symbol{"proj_get_id_code"};
    void *(*part)(void *context, const void *crs, int number) = Symbol{"proj_crs_get_sub_crs"};
    void *(*source)(void *context, const void *bound) = Symbol{"proj_get_source_crs"};
    void *(*system)(void *context, const void *crs) = Symbol{"proj_crs_get_coordinate_system"};
    int (*systemType)(void *context, const void *system) = Symbol{"proj_cs_get_type"};
    int (*axes)(void *context, const void *system) = Symbol{"proj_cs_get_axis_count"};
    int (*axis)(void *context, const void *system, int number, const char **name, const char **abbreviation,
                const char **direction, double *unit, const char **unitName, const char **unitAuthority,
                const char **unitCode) = Symbol{"proj_cs_get_axis_info"};
    void *(*ellipsoid)(void *context, const void *crs) = Symbol{"proj_get_ellipsoid"};
    int (*radii)(void *context, const void *ellipsoid, double *major, double *minor, int *computed,
                 double *inverseFlattening) = Symbol{"proj_ellipsoid_get_parameters"};
    int (*equivalent)(const void *a, const void *b, int criterion) = Symbol{"proj_is_equivalent_to"};
    void *(*identify)(void *context, const void *crs, const char *authority, const char *const *options,
                      int **confidence) = Symbol{"proj_identify"};
    int (*count)(const void *list) = Symbol{"proj_list_get_count"};
    void *(*get)(void *context, const void *list, int number) = Symbol{"proj_list_get"};
    void (*listDestroy)(void *list) = Symbol{"proj_list_destroy"};
    void (*intsDestroy)(int *list) = Symbol{"proj_int_list_destroy"};
};

// Values of enumerations in proj.h.
const int CompoundCrs = 16, BoundCrs = 19;              // PJ_TYPE
const int Cartesian = 1, Ellipsoidal = 2, Vertical = 3; // PJ_COORDINATE_SYSTEM_TYPE
const int ExceptAxisOrder = 2;                          // PJ_COMP_EQUIVALENT_EXCEPT_AXIS_ORDER_GEOGCRS
const int Likely = 90;                                  // proj_identify: all but the name is equal

struct Axis
{
    std::string direction;
    double unit; // metres or radians
};

// A parsed reference and its horizontal and vertical parts.
class Crs
{
public:
    Crs(const Proj& proj, const std::string& text) : m_proj(proj), m_context(proj.contextCreate(), proj.contextDestroy)
    {
        proj.logTo(m_context.get(), nullptr, [](void *, int, const char *) {}); // the kind says what is wrong
        void *all = unbound(own(proj.create(m_context.get(), text.c_str())));
        if (all && proj.type(all) == CompoundCrs)
        {
            m_horizontal = unbound(own(proj.part(m_context.get(), all, 0)));
            m_vertical = unbound(own(proj.part(m_context.get(), all, 1)));
        }
        else
            m_horizontal = all;
        m_type = readAxes(m_horizontal);
        if (readAxes(m_vertical) != Vertical)
            m_vertical = nullptr;
    }

    // Sets all but the name.
    void describe(sp_reference& to) const
    {
        to.kind = kind();
        if (to.kind == SP_REFERENCE_INVALID)
            return;
        to.horizontal = m_axes[0].unit;
        if (m_axes.size() > 2)
            to.vertical = m_axes[2].unit;
        double minor;
        int computed;
        const std::shared_ptr<void> ellipsoid(m_proj.ellipsoid(m_context.get(), m_horizontal), m_proj.destroy);
        if (ellipsoid)
            m_proj.radii(m_context.get(), ellipsoid.get(), &to.major, &minor, &computed, &to.inverse_flattening);
    }

    // "EPSG:25832" or "EPSG:25832+7837", else the name in words.
    std::string name() const
    {
        if (!m_horizontal)
            return "";
        std::string text = codeOf(m_horizontal);
        if (text.empty())
            return m_proj.name(m_horizontal);
        const std::string height = m_vertical ? codeOf(m_vertical) : "";
        const auto colon = height.find(':');
        if (colon != std::string::npos && height.substr(0, colon) == text.substr(0, text.find(':')))
            text += "+" + height.substr(colon + 1);
        return text;
    }

    bool same(const Crs& other) const
    {
        if (!m_horizontal || !other.m_horizontal || !equal(m_horizontal, other.m_horizontal))
            return false;
        if (known(m_vertical) && known(other.m_vertical))
            return equal(m_vertical, other.m_vertical);
        return std::fabs(heightUnit() / other.heightUnit() - 1) < 1e-6;
    }

private:
    void *own(void *object)
    {
        if (object)
            m_objects.emplace_back(object, m_proj.destroy);
        return object;
    }

    void *unbound(void *crs)
    {
        return crs && m_proj.type(crs) == BoundCrs ? own(m_proj.source(m_context.get(), crs)) : crs;
    }

    // Appends the axes of a part. Returns the type of its coordinate system, 0 if it has none.
    int readAxes(void *crs)
    {
        void *system = crs ? own(m_proj.system(m_context.get(), crs)) : nullptr;
        if (!system)
            return 0;
        for (int k = 0; k < m_proj.axes(m_context.get(), system); ++k)
        {
            const char *name, *abbreviation, *direction, *unitName, *unitAuthority, *unitCode;
            double unit = 0;
            if (m_proj.axis(m_context.get(), system, k, &name, &abbreviation, &direction, &unit, &unitName,
                            &unitAuthority, &unitCode))
                m_axes.push_back({direction, unit});
        }
        return m_proj.systemType(m_context.get(), system);
    }

    int32_t kind() const
    {
        if (m_axes.size() < 2 || (m_type != Cartesian && m_type != Ellipsoidal))
            return SP_REFERENCE_INVALID;
        if (m_type == Cartesian && pdal::Utils::startsWith(m_axes[0].direction, "geocentric"))
            return SP_REFERENCE_GEOCENTRIC;
        if (m_axes.size() > 2 && m_axes[2].direction == "down")
            return SP_REFERENCE_DEPTH;
        return m_type == Cartesian ? SP_REFERENCE_PROJECTED : SP_REFERENCE_GEOGRAPHIC;
    }

    double heightUnit() const
    {
        return m_axes.size() > 2 ? m_axes[2].unit : m_type == Ellipsoidal || m_axes.empty() ? 1 : m_axes[0].unit;
    }

    // The unit alone, in GeoTIFF keys, makes a system of heights called unknown.
    bool known(void *vertical) const
    {
        return vertical && m_proj.name(vertical) != std::string("unknown");
    }

    std::string codeOf(void *crs) const
    {
        const char *authority = m_proj.authority(crs, 0), *code = m_proj.code(crs, 0);
        if (authority && code)
            return std::string(authority) + ":" + code;
        int *confidence = nullptr;
        std::string text;
        void *list = m_proj.identify(m_context.get(), crs, "EPSG", nullptr, &confidence);
        if (list && m_proj.count(list) > 0 && confidence[0] >= Likely)
        {
            const std::shared_ptr<void> best(m_proj.get(m_context.get(), list, 0), m_proj.destroy);
            authority = m_proj.authority(best.get(), 0), code = m_proj.code(best.get(), 0);
            if (authority && code)
                text = std::string(authority) + ":" + code;
        }
        if (list)
            m_proj.listDestroy(list);
        if (confidence)
            m_proj.intsDestroy(confidence);
        return text;
    }

    bool equal(void *a, void *b) const
    {
        if (m_proj.equivalent(a, b, ExceptAxisOrder))
            return true;
        const std::string code = codeOf(a);
        return !code.empty() && code == codeOf(b);
    }

    const Proj& m_proj;
    std::shared_ptr<void> m_context;
    std::vector<std::shared_ptr<void>> m_objects; // destroyed before the context
    void *m_horizontal = nullptr;
    void *m_vertical = nullptr;
    int m_type = 0; // of the horizontal coordinate system
    std::vector<Axis> m_axes;
};

// PROJ of this process; null if it cannot be used.
const Proj *findProj()
{
    try
    {
        static const Proj proj;
        return &proj;
    }
    catch (const std::exception&)
    {
        return nullptr;
    }
}

// The text of a reference as well-known text; "" if PDAL cannot read it.
std::string wktOf(const std::string& text)
{
    try
    {
        if (text.find('[') != std::string::npos)
            return text;
        return pdal::SpatialReference(text).getWKT();
    }
    catch (const std::exception&)
    {
        return "";
    }
}

// A projection record (base64) of the first LAS file before a stage; "" if there is none, or an option replaces it.
std::string recordOf(pdal::Stage& stage, const std::string& id)
{
    for (pdal::Stage *input : stage.getInputs())
    {
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
    for (const pdal::MetadataNode& vlr : stage.getMetadata().children())
    {
        if (pdal::Utils::startsWith(vlr.name(), "vlr_") && vlr.findChild("user_id").value() == "LASF_Projection" &&
            vlr.findChild("record_id").value() == id)
            return vlr.findChild("data").value();
    }
    return "";
}

} // unnamed namespace

Reference::Reference(const std::string& text) : m_text(text)
{
    const Proj *proj = findProj();
    if (text.empty() || !proj)
        return;
    const std::string wkt = wktOf(text);
    if (!wkt.empty())
        m_text = wkt;
    const Crs crs(*proj, wkt);
    crs.describe(m_values);
    m_name = crs.name();
}

Reference::Reference(const pdal::SpatialReference& srs, pdal::Stage& stage) : Reference(srs.getWKT())
{
    const std::string record = recordOf(stage, "2112");
    const std::vector<uint8_t> text = pdal::Utils::base64_decode(record);
    const auto end = std::find(text.begin(), text.end(), 0);
    if (srs.empty() && std::any_of(text.begin(), end, [](uint8_t c) { return c > ' '; }))
        *this = Reference(std::string(text.begin(), end)); // PDAL could not read it
    else if (srs.empty() || record.empty())                // else well-known text replaces the keys
        m_keys = recordOf(stage, "34735");
}

sp_reference Reference::get() const
{
    sp_reference r = m_values;
    r.wkt = m_text.c_str();
    r.name = m_name.c_str();
    r.geokeys = m_keys.c_str();
    return r;
}

bool Reference::same(const std::string& a, const std::string& b)
{
    if (a == b)
        return true;
    const std::string first = wktOf(a), second = wktOf(b);
    if (const Proj *proj = findProj())
        return Crs(*proj, first).same(Crs(*proj, second));
    return !first.empty() && pdal::SpatialReference(first) == pdal::SpatialReference(second);
}

} // namespace superpoint
