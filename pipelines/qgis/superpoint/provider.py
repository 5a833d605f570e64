"""The Processing provider: the algorithms, and two settings for finding PDAL."""

import os

from qgis.core import QgsProcessingProvider
from qgis.PyQt.QtGui import QIcon

from . import program
from .commands import Evaluate, Mesh, Objects, Outline, Render, Table, Train
from .labelling import Classify, Propose
from .program import DRIVERS_SETTING, PDAL_SETTING
from .segment import Superpoints, SuperpointsOfFolder
from .survey import Map, Tile

GROUP = "Superpoint"


class Provider(QgsProcessingProvider):
    """Superpoint in the Processing toolbox."""

    def id(self):
        return "superpoint"

    def name(self):
        return "Superpoint"

    def longName(self):
        return "Superpoints of point clouds (PDAL)"

    def icon(self):
        return QIcon(os.path.join(os.path.dirname(__file__), "icon.svg"))

    def load(self):
        """Adds the settings under Settings > Options > Processing > Providers."""
        from processing.core.ProcessingConfig import ProcessingConfig, Setting
        ProcessingConfig.settingIcons[GROUP] = self.icon()
        ProcessingConfig.addSetting(Setting(
            GROUP, PDAL_SETTING, "pdal program (empty = search)", "", valuetype=Setting.FILE))
        ProcessingConfig.addSetting(Setting(
            GROUP, DRIVERS_SETTING, "Folder with the superpoint plugin of PDAL (empty = search)", "",
            valuetype=Setting.FOLDER))
        ProcessingConfig.readSettings()
        self.refreshAlgorithms()
        return True

    def unload(self):
        from processing.core.ProcessingConfig import ProcessingConfig
        ProcessingConfig.removeSetting(PDAL_SETTING)
        ProcessingConfig.removeSetting(DRIVERS_SETTING)

    def loadAlgorithms(self):
        for algorithm in (Map, Superpoints, SuperpointsOfFolder, Tile,
                          Outline, Propose, Classify, Objects, Table, Mesh, Render, Evaluate, Train):
            self.addAlgorithm(algorithm())

    def supportedOutputPointCloudLayerExtensions(self):
        """Returns the formats that segment writes; temporary files have the first."""
        return ["copc.laz", "laz", "las"] if program.writes_copc() else ["laz", "las"]

    def defaultPointCloudFileExtension(self):
        return self.supportedOutputPointCloudLayerExtensions()[0]
