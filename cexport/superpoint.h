// SPDX-License-Identifier: BSD-3-Clause
/*
 * superpoint.h: the boundary between a host (PDAL's stage and kernel) and the
 * Go library that finds superpoints. Written by hand; ten functions.
 *
 * Texts are UTF-8 and end with a zero byte. Arrays are flat and belong to the
 * caller; their lengths are stated beside them. The library keeps no pointer of
 * the caller's after a call returns. A function that fails returns 0 (or a null
 * pointer) and, if `error` is not null, sets *error to a text that names what
 * was wrong and what to do; free it with sp_free. No panic crosses the boundary.
 *
 * Callbacks are called only on the thread that called the library, and only
 * until that call returns. A handle may be used by one thread at a time; other
 * threads wait. A process that forks must not use the library in the child
 * unless the child loads it itself: functions fail there, with a text that says so.
 */
#ifndef SUPERPOINT_H
#define SUPERPOINT_H

#include <stdint.h>

/* Incremented by every change to this file that an older host or library would misread. */
#define SP_ABI_VERSION 12

/* Log levels, as PDAL counts them. */
enum { SP_LOG_ERROR = 0, SP_LOG_WARNING = 1, SP_LOG_INFO = 2, SP_LOG_DEBUG = 3 };

/* The values of one dimension. */
typedef struct sp_column {
    const char *name;     /* PDAL's name of the dimension */
    const double *values; /* [count], aligned; may be null if count is 0 */
    uint64_t count;
} sp_column;

/* A spatial reference; texts may be null. A cloud with one that is geocentric, a depth or cannot be read is refused. */
typedef struct sp_reference {
    const char *wkt;     /* well-known text; null or "": there is none */
    const char *read;    /* the same as the host writes it, WKT 1; "": it cannot be read; null: the library reads wkt */
    const char *code;    /* "EPSG:32632" if the host knows it, though the text does not state it */
    const char *geokeys; /* GeoKeyDirectoryTag of a LAS file, base64: checked against the others */
} sp_reference;

/* Points: X, Y and Z, in this order, then other dimensions. A cloud whose columns differ in count is refused. */
typedef struct sp_cloud {
    uint32_t columns;
    const sp_column *column; /* [columns]; X, Y and Z in the units of the spatial reference */
    sp_reference reference;
    const char *available; /* names of all dimensions a file has, comma separated (sp_host.read only) */
} sp_cloud;

/* A raster with one band of 32-bit floats. Cells are in rows from the north, in a row from the west. */
typedef struct sp_raster {
    uint32_t columns;
    uint32_t rows;
    double west; /* of the outer edge of the first cell, in the units of the spatial reference */
    double north;
    double width; /* of a cell */
    double height;
    double no_data;          /* the value of cells without one; NaN in a file that states none */
    const char *reference;   /* in any notation; null or "": there is none */
    const char *unit;        /* of values */
    const char *description; /* of the band */
    const char *layout;      /* of a file that is read: "COG" if it is cloud-optimised */
    uint32_t overviews;      /* number, of a file that is read */
} sp_raster;

/* Cells of a raster: columns × rows from a row and a column on. The value of cell (i, j) is first + i·stride + j. */
typedef struct sp_rectangle {
    uint32_t row;
    uint32_t column;
    uint32_t rows;
    uint32_t columns;
    uint64_t first;
    uint64_t stride;
} sp_rectangle;

/* What a host offers. Any callback may be null. */
typedef struct sp_host {
    void *context; /* passed to every callback */
    void (*log)(void *context, int32_t level, const char *text);
    void (*progress)(void *context, const char *step, double fraction); /* fraction in [0, 1] */
    /*
     * Reads X, Y, Z and, of the comma separated dimensions, those in the file. Returns
     * null, with *cloud valid until the next read or the end of the command, or else an
     * error text that is valid as long.
     */
    const char *(*read)(void *context, const char *path, const char *dimensions, const sp_cloud **cloud);
    /*
     * Writes the GeoJSON file `from` into the file `to` by GDAL's vector translation.
     * `arguments` are arguments of ogr2ogr, one a line. If `from` is "", it writes
     * nothing and only checks that GDAL has a driver for the file name `to` or the
     * format after "-f". Returns null, or an error text as read does.
     */
    const char *(*convert)(void *context, const char *from, const char *to, const char *arguments);
    /* sp_segment does not read that column of its cloud any more: the host may free its values. */
    void (*release)(void *context, const char *column);
    /* Describes a spatial reference in any notation. Its texts are valid until the next call of describe. */
    void (*describe)(void *context, const char *text, sp_reference *reference);
    /* 1 if two spatial references, in any notation, are the same except for units of heights, else 0. */
    int32_t (*same)(void *context, const char *a, const char *b);
    /*
     * Writes a cloud-optimised GeoTIFF by GDAL. Cells in none of the rectangles, and those whose
     * value is NaN, become no_data. Returns null, or an error text as read does.
     */
    const char *(*write_raster)(void *context, const char *path, const sp_raster *raster, uint32_t rectangles,
                                const sp_rectangle *rectangle, const float *values);
    /*
     * Reads by GDAL the header of a raster file and, into values[rows × columns], rows from
     * `first` on; rows may be 0. Returns null, with *raster valid until the next call, or an error
     * text as read does.
     */
    const char *(*read_raster)(void *context, const char *path, uint32_t first, uint32_t rows, float *values,
                               const sp_raster **raster);
} sp_host;

#ifdef __cplusplus
extern "C" {
#endif

/* Returns SP_ABI_VERSION of the library. Call it first; refuse another number. */
int32_t sp_abi_version(void);

/* Makes a filter from options, each "NAME=VALUE" as a user wrote it. Returns its handle, or 0. */
uint64_t sp_open(int32_t count, const char *const *options, const sp_host *host, char **error);

/*
 * Lists the dimensions that the filter reads and writes when the view has the comma
 * separated dimensions: one line each, "required NAME TYPE", "optional NAME TYPE" or
 * "output NAME TYPE", TYPE one of uint8, uint16, uint32, int32, float, double.
 * Free the text with sp_free.
 */
char *sp_describe(uint64_t handle, const char *available, const sp_host *host, char **error);

/* Segments one cloud and keeps the result until the next call. Returns 1, or 0. */
int32_t sp_segment(uint64_t handle, const sp_cloud *cloud, const sp_host *host, char **error);

/* Fills values[count] with one output of the last cloud, which had count points. Returns 1, or 0. */
int32_t sp_output(uint64_t handle, const char *name, double *values, uint64_t count, char **error);

/*
 * Describes all clouds so far: one line each, "NAME VALUE", VALUE being JSON
 * without line breaks. Free the text with sp_free.
 */
char *sp_metadata(uint64_t handle, char **error);

/*
 * Runs a command, for example {"eval", "--model", "aerial", "a.laz"}. Returns 1, or 0.
 * Its output goes to the standard output or, unless printed is NULL, to *printed,
 * to be freed with sp_free.
 * An interrupt or a termination signal ends it with an error, unless the process
 * handles interrupts itself: such a process calls sp_cancel.
 */
int32_t sp_command(int32_t count, const char *const *arguments, const sp_host *host, char **printed, char **error);

/*
 * Cancels the running calls that received this host: they fail soon. Any thread
 * may call it, also from a callback. Later calls are not affected.
 */
void sp_cancel(const sp_host *host);

/* Frees a text the library returned; null is allowed. */
void sp_free(char *text);

/* Closes the filter; 0 and closed handles are allowed. */
void sp_close(uint64_t handle);

#ifdef __cplusplus
}
#endif
#endif
