<!DOCTYPE qgis PUBLIC 'http://mrcc.com/qgis.dtd' 'SYSTEM'>
<qgis version="3.40.6-Bratislava" styleCategories="Symbology">
  <renderer horizontalTriangleFilter="0" type="rgb" blue="EmbeddingB" horizontalTriangleFilterUnit="MM" pointSize="1.19999999999999996" maximumScreenErrorUnit="MM" red="EmbeddingR" pointSymbol="0" drawOrder2d="1" green="EmbeddingG" renderAsTriangles="0" maximumScreenError="0.20000000000000001" horizontalTriangleFilterThreshold="5" pointSizeUnit="MM" pointSizeMapUnitScale="3x:0,0,0,0,0,0">
    <redContrastEnhancement>
      <minValue>0</minValue>
      <maxValue>65535</maxValue>
      <algorithm>StretchToMinimumMaximum</algorithm>
    </redContrastEnhancement>
    <greenContrastEnhancement>
      <minValue>0</minValue>
      <maxValue>65535</maxValue>
      <algorithm>StretchToMinimumMaximum</algorithm>
    </greenContrastEnhancement>
    <blueContrastEnhancement>
      <minValue>0</minValue>
      <maxValue>65535</maxValue>
      <algorithm>StretchToMinimumMaximum</algorithm>
    </blueContrastEnhancement>
  </renderer>
  <blendMode>0</blendMode>
</qgis>
