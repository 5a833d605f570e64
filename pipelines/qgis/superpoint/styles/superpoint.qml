<!DOCTYPE qgis PUBLIC 'http://mrcc.com/qgis.dtd' 'SYSTEM'>
<qgis hasScaleBasedVisibilityFlag="0" styleCategories="AllStyleCategories" minScale="100000000" version="3.22.16-Białowieża" maxScale="0">
  <flags>
    <Identifiable>1</Identifiable>
    <Removable>1</Removable>
    <Searchable>1</Searchable>
    <Private>0</Private>
  </flags>
  <elevation zscale="1" zoffset="0"/>
  <renderer attribute="SuperpointColor" pointSize="1.19999999999999996" maximumScreenError="0.20000000000000001" maximumScreenErrorUnit="MM" pointSizeMapUnitScale="3x:0,0,0,0,0,0" type="classified" pointSymbol="0" pointSizeUnit="MM">
    <categories>
      <category value="0" color="45,105,210,255" label="colour 0" render="true"/>
      <category value="1" color="0,255,0,255" label="colour 1" render="true"/>
      <category value="2" color="255,0,0,255" label="colour 2" render="true"/>
      <category value="3" color="75,90,30,255" label="colour 3" render="true"/>
      <category value="4" color="255,0,165,255" label="colour 4" render="true"/>
      <category value="5" color="0,240,255,255" label="colour 5" render="true"/>
      <category value="6" color="75,0,255,255" label="colour 6" render="true"/>
      <category value="7" color="255,210,0,255" label="colour 7" render="true"/>
      <category value="8" color="255,195,210,255" label="colour 8" render="true"/>
      <category value="9" color="150,45,45,255" label="colour 9" render="true"/>
      <category value="10" color="60,210,120,255" label="colour 10" render="true"/>
      <category value="11" color="225,225,150,255" label="colour 11" render="true"/>
      <category value="12" color="0,105,135,255" label="colour 12" render="true"/>
      <category value="13" color="210,90,255,255" label="colour 13" render="true"/>
      <category value="14" color="255,150,75,255" label="colour 14" render="true"/>
      <category value="15" color="150,75,135,255" label="colour 15" render="true"/>
      <category value="16" color="150,210,0,255" label="colour 16" render="true"/>
      <category value="17" color="255,0,90,255" label="colour 17" render="true"/>
      <category value="18" color="150,195,255,255" label="colour 18" render="true"/>
      <category value="19" color="255,165,255,255" label="colour 19" render="true"/>
      <category value="20" color="30,150,120,255" label="colour 20" render="true"/>
      <category value="21" color="0,75,240,255" label="colour 21" render="true"/>
      <category value="22" color="150,150,15,255" label="colour 22" render="true"/>
      <category value="23" color="15,120,0,255" label="colour 23" render="true"/>
      <category value="24" color="165,120,90,255" label="colour 24" render="true"/>
      <category value="25" color="255,120,150,255" label="colour 25" render="true"/>
      <category value="26" color="120,45,165,255" label="colour 26" render="true"/>
      <category value="27" color="165,225,195,255" label="colour 27" render="true"/>
      <category value="28" color="180,0,90,255" label="colour 28" render="true"/>
      <category value="29" color="150,90,0,255" label="colour 29" render="true"/>
      <category value="30" color="195,60,0,255" label="colour 30" render="true"/>
      <category value="31" color="0,195,30,255" label="colour 31" render="true"/>
    </categories>
  </renderer>
  <customproperties>
    <Option/>
  </customproperties>
  <blendMode>0</blendMode>
  <layerOpacity>1</layerOpacity>
</qgis>
