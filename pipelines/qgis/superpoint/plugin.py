# SPDX-License-Identifier: BSD-3-Clause
"""The Processing provider: the algorithms, and two settings for finding PDAL."""

import os

from qgis.core import QgsApplication, QgsProcessingProvider
from qgis.PyQt.QtGui import QIcon

from . import program
from .algorithm import Algorithm
from .tools import TOOLS

GROUP = "Superpoint"
ICON = os.path.join(os.path.dirname(__file__), "icon.svg")


class Plugin:
    """The object that QGIS has while the plugin is enabled."""

    def __init__(self, interface):
        self.provider = None

    def initProcessing(self):
        """Also called by qgis_process, without a window."""
        self.provider = Provider()
        QgsApplication.processingRegistry().addProvider(self.provider)

    initGui = initProcessing

    def unload(self):
        if self.provider is not None:
            QgsApplication.processingRegistry().removeProvider(self.provider)
            self.provider = None


class Provider(QgsProcessingProvider):
    """Superpoint in the Processing toolbox."""

    def id(self):
        return "superpoint"

    def name(self):
        return GROUP

    def longName(self):
        return "Superpoints of point clouds (PDAL)"

    def icon(self):
        return QIcon(ICON)

    def load(self):
        """Adds the settings under Settings > Options > Processing > Providers."""
        from processing.core.ProcessingConfig import ProcessingConfig, Setting
        ProcessingConfig.settingIcons[GROUP] = self.icon()
        ProcessingConfig.addSetting(Setting(
            GROUP, program.PDAL_SETTING, "pdal program (empty = search)", "", valuetype=Setting.FILE))
        ProcessingConfig.addSetting(Setting(
            GROUP, program.DRIVERS_SETTING, "Folder with the superpoint plugin of PDAL (empty = search)", "",
            valuetype=Setting.FOLDER))
        ProcessingConfig.readSettings()
        self.refreshAlgorithms()
        return True

    def unload(self):
        from processing.core.ProcessingConfig import ProcessingConfig
        ProcessingConfig.removeSetting(program.PDAL_SETTING)
        ProcessingConfig.removeSetting(program.DRIVERS_SETTING)

    def loadAlgorithms(self):
        for tool in TOOLS:
            self.addAlgorithm(Algorithm(tool))

    def supportedOutputVectorLayerExtensions(self):
        """Returns the formats that outline writes."""
        return ["gpkg", "geojson"]

    def supportedOutputPointCloudLayerExtensions(self):
        """Returns the formats that segment writes; temporary files have the first."""
        return ["copc.laz", "laz", "las"] if program.writes_copc() else ["laz", "las"]

    def defaultPointCloudFileExtension(self):
        return self.supportedOutputPointCloudLayerExtensions()[0]
