"""QGIS Processing provider for filters.superpoint of PDAL.

The plugin runs pdal as a child process and never loads it into QGIS:

    program   finds pdal and the superpoint plugin, and says what to do if not
    child     runs one process: progress, cancelling, the end of its messages
    options   the options of the stage as Processing parameters
    pipeline  the PDAL pipeline of one file
    base, segment, folder, evaluate, render   the algorithms
    ept, ply  an octree, for a QGIS or a pdal without COPC
    layers    loads and styles a result
"""


def classFactory(interface):
    """QGIS calls this to load the plugin; interface is None in qgis_process."""
    from .plugin import Plugin
    return Plugin(interface)
