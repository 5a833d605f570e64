"""Adds the provider to QGIS and removes it."""

from qgis.core import QgsApplication

from .provider import Provider


class Plugin:
    """The object that QGIS has while the plugin is enabled."""

    def __init__(self, interface):
        self.interface = interface
        self.provider = None

    def initProcessing(self):
        """Also called by qgis_process, without a window."""
        self.provider = Provider()
        QgsApplication.processingRegistry().addProvider(self.provider)

    def initGui(self):
        self.initProcessing()

    def unload(self):
        if self.provider is not None:
            QgsApplication.processingRegistry().removeProvider(self.provider)
            self.provider = None
