/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Loaded before GDAL (LD_PRELOAD): of the file whose reads or writes SUPERPOINT_RASTERIO names ("read" or "write"),
 * cells below the first FIRST rows fail. Everything else is GDAL's own.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST = 10, FAILURE = 3, FILE_IO = 3 };

typedef int io(void *band, int write, int x, int y, int width, int height, void *values, int columns, int rows,
               int type, int pixel_space, int line_space);
typedef void report(int severity, int number, const char *format, ...);

io GDALRasterIO;

int GDALRasterIO(void *band, int write, int x, int y, int width, int height, void *values, int columns, int rows,
                 int type, int pixel_space, int line_space)
{
    const char *fails = getenv("SUPERPOINT_RASTERIO");
    if (fails && strcmp(fails, write ? "write" : "read") == 0 && y + height > FIRST) {
        report *error = (report *)dlsym(RTLD_NEXT, "CPLError");
        error(FAILURE, FILE_IO, "the disk has a bad block");
        return FAILURE;
    }
    io *own = (io *)dlsym(RTLD_NEXT, "GDALRasterIO");
    return own(band, write, x, y, width, height, values, columns, rows, type, pixel_space, line_space);
}
