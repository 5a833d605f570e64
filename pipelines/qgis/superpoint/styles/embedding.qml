<!DOCTYPE qgis PUBLIC 'http://mrcc.com/qgis.dtd' 'SYSTEM'>
<qgis hasScaleBasedVisibilityFlag="0" styleCategories="AllStyleCategories" minScale="100000000" version="3.22.16-Białowieża" maxScale="0">
  <flags>
    <Identifiable>1</Identifiable>
    <Removable>1</Removable>
    <Searchable>1</Searchable>
    <Private>0</Private>
  </flags>
  <elevation zscale="1" zoffset="0"/>
  <renderer green="EmbeddingG" blue="EmbeddingB" pointSize="1.19999999999999996" maximumScreenError="0.20000000000000001" maximumScreenErrorUnit="MM" red="EmbeddingR" pointSizeMapUnitScale="3x:0,0,0,0,0,0" type="rgb" pointSymbol="0" pointSizeUnit="MM">
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
  <customproperties>
    <Option/>
  </customproperties>
  <blendMode>0</blendMode>
  <layerOpacity>1</layerOpacity>
</qgis>
