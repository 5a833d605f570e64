# SPDX-License-Identifier: BSD-3-Clause
"""QGIS Processing provider for filters.superpoint of PDAL.

The plugin runs pdal as a separate process and never loads it into QGIS:

    plugin     the provider, and its settings
    tools      the table of tools: help, inputs, options, and the function that runs each
    algorithm  the one class of Processing algorithms, and one run of a tool
    options    options of the stage and of commands as Processing parameters
    clouds     point clouds as parameters: layers and files
    program    finds pdal and runs it: progress, cancelling, messages
    layers     loads results with styles
    labels     labels of outlines in a layer, and edits that undo reverts
    ept        an octree, for a QGIS or a pdal without COPC

options.json has the options, classes and colours of the program that was built.
"""


def classFactory(interface):
    """QGIS calls this to load the plugin; interface is None in qgis_process."""
    from .plugin import Plugin
    return Plugin(interface)
