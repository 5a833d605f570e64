"""QGIS Processing provider for filters.superpoint of PDAL.

The plugin runs pdal as a child process and never loads it into QGIS:

    program   finds pdal and the superpoint plugin, and says what to do if not
    child     runs one process: progress, cancelling, the end of its messages
    clouds    point clouds as parameters: layers and files
    options   the options of the stage as Processing parameters
    pipeline  the command segment, and the temporary folder of an output
    base      what all algorithms share
    segment, survey, labelling
              algorithms
    command, commands
              those that read clouds and write one file
    labels    labels of outlines, as they are in a layer, and edits that undo takes back
    layers    loads and styles a result
    page      the page of the Help button
    ept, ply  an octree, for a QGIS or a pdal without COPC
"""


def classFactory(interface):
    """QGIS calls this to load the plugin; interface is None in qgis_process."""
    from .plugin import Plugin
    return Plugin(interface)
