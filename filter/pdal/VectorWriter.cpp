// SPDX-License-Identifier: BSD-3-Clause
#include "VectorWriter.hpp"

#include "Gdal.hpp"

#include <pdal/util/Utils.hpp>

#include <algorithm>
#include <stdexcept>
#include <vector>

namespace superpoint
{

namespace
{

// GDAL's C interface for vectors (gdal.h, gdal_utils.h).
struct VectorGdal : Gdal {
    void *(*optionsNew)(char **arguments, void *forBinary) = Symbol{"GDALVectorTranslateOptionsNew"};
    void (*optionsFree)(void *options) = Symbol{"GDALVectorTranslateOptionsFree"};
    void *(*translate)(const char *path, void *destination, int count, void **sources, const void *options,
                       int *usageError) = Symbol{"GDALVectorTranslate"};
    void *(*execute)(void *dataset, const char *sql, void *filter,
                     const char *dialect) = Symbol{"GDALDatasetExecuteSQL"};
    void (*release)(void *dataset, void *result) = Symbol{"GDALDatasetReleaseResultSet"};
};

const unsigned VectorReadOnly = 0x04; // GDAL_OF_VECTOR | GDAL_OF_READONLY

// Reports whether a driver can write polygons.
bool makesVectors(const VectorGdal& gdal, void *driver)
{
    return driver && gdal.metadata(driver, "DCAP_VECTOR", nullptr) && gdal.metadata(driver, "DCAP_CREATE", nullptr);
}

// The value of an option among the arguments.
std::string valueOf(const std::vector<std::string>& words, const std::string& option)
{
    const auto at = std::find(words.begin(), words.end(), option);
    return at != words.end() && at + 1 != words.end() ? *(at + 1) : "";
}

// Throws if GDAL lacks the driver, or if that cannot write.
void findDriver(const VectorGdal& gdal, const std::vector<std::string>& words)
{
    const std::string name = valueOf(words, "-f");
    if (!makesVectors(gdal, gdal.driverByName(name.c_str())))
        throw std::runtime_error(std::string("GDAL ") + gdal.version("RELEASE_NAME") + " of this PDAL has no driver " +
                                 name);
}

// Reports whether the arguments remove the spatial reference of a GeoPackage. GDAL then
// writes srs_id 0, undefined geographic, or since 3.9 another one.
bool unreferenced(const std::vector<std::string>& words)
{
    return valueOf(words, "-f") == "GPKG" && valueOf(words, "-a_srs") == "NULL";
}

// Sets the spatial reference to -1, undefined Cartesian (OGC 12-128r19, 1.1.2.1.2), also in
// bytes 5 to 8 of every geometry.
void undefinedCartesian(const VectorGdal& gdal, void *package, const std::string& layer)
{
    for (const std::string& sql :
         {std::string("UPDATE gpkg_contents SET srs_id = -1 WHERE data_type = 'features'"),
          std::string("UPDATE gpkg_geometry_columns SET srs_id = -1"),
          "UPDATE " + layer + " SET geom = CAST(substr(geom, 1, 4) || x'FFFFFFFF' || substr(geom, 9) AS BLOB)"})
        if (void *result = gdal.execute(package, sql.c_str(), nullptr, nullptr))
            gdal.release(package, result);
}

// Translates a file with the arguments of ogr2ogr.
void translate(const VectorGdal& gdal, const std::string& from, const std::string& to, std::vector<std::string>& words)
{
    void *source = gdal.open(from.c_str(), VectorReadOnly, nullptr, nullptr, nullptr);
    if (!source)
        fail(gdal, "cannot read its input");
    std::vector<char *> arguments;
    for (std::string& w : words) arguments.push_back(&w[0]);
    arguments.push_back(nullptr);
    void *options = gdal.optionsNew(arguments.data(), nullptr);
    void *made = options ? gdal.translate(to.c_str(), nullptr, 1, &source, options, nullptr) : nullptr;
    const std::string error = Quiet::errors(gdal.lastError());
    if (options)
        gdal.optionsFree(options);
    gdal.close(source);
    if (!made)
        throw std::runtime_error("GDAL cannot write it: " + error);
    gdal.errorReset();
    if (unreferenced(words))
        undefinedCartesian(gdal, made, valueOf(words, "-nln"));
    gdal.close(made); // writes the rest
    if (*gdal.lastError())
        fail(gdal, "cannot finish it");
}

} // unnamed namespace

void convert(const std::string& from, const std::string& to, const std::string& arguments)
{
    std::vector<std::string> words = pdal::Utils::split(arguments, '\n');
    const VectorGdal gdal;
    const Quiet quiet(gdal);
    gdal.registerAll();
    findDriver(gdal, words);
    if (!from.empty())
        translate(gdal, from, to, words);
}

} // namespace superpoint
