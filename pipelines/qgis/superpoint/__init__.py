"""QGIS Processing provider for filters.superpoint of PDAL.

The plugin runs pdal as a child process and never loads it into QGIS:

    program   finds pdal and the superpoint plugin; the error names the remedy
    child     runs one process: progress, cancelling, its last messages
    clouds    point clouds as parameters: layers and files
    options   the options of the stage as Processing parameters
    pipeline  the temporary folder of an output
    base      the base class of all algorithms
    segment, survey, labelling
              algorithms
    command, commands
              algorithms that read clouds and write one file
    labels    labels of outlines in a layer, and edits that undo reverts
    layers    loads results with styles
    page      the page of the Help button
    ept, ply  an octree, for a QGIS or a pdal without COPC
"""


def classFactory(interface):
    """QGIS calls this to load the plugin; interface is None in qgis_process."""
    from .plugin import Plugin
    return Plugin(interface)
