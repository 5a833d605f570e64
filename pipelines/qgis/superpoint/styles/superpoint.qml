<!DOCTYPE qgis PUBLIC 'http://mrcc.com/qgis.dtd' 'SYSTEM'>
<qgis version="3.40.6-Bratislava" styleCategories="Symbology">
  <renderer horizontalTriangleFilter="0" type="classified" horizontalTriangleFilterUnit="MM" pointSize="1.19999999999999996" maximumScreenErrorUnit="MM" attribute="SuperpointColor" pointSymbol="0" drawOrder2d="1" renderAsTriangles="0" maximumScreenError="0.20000000000000001" horizontalTriangleFilterThreshold="5" pointSizeUnit="MM" pointSizeMapUnitScale="3x:0,0,0,0,0,0">
    <categories>
      <category color="230,85,76,255" label="colour 0" render="true" pointSize="0" value="0"/>
      <category color="64,140,208,255" label="colour 1" render="true" pointSize="0" value="1"/>
      <category color="92,178,88,255" label="colour 2" render="true" pointSize="0" value="2"/>
      <category color="142,104,196,255" label="colour 3" render="true" pointSize="0" value="3"/>
      <category color="52,178,170,255" label="colour 4" render="true" pointSize="0" value="4"/>
      <category color="160,108,72,255" label="colour 5" render="true" pointSize="0" value="5"/>
      <category color="96,116,216,255" label="colour 6" render="true" pointSize="0" value="6"/>
      <category color="250,148,128,255" label="colour 7" render="true" pointSize="0" value="7"/>
      <category color="128,192,236,255" label="colour 8" render="true" pointSize="0" value="8"/>
      <category color="158,214,138,255" label="colour 9" render="true" pointSize="0" value="9"/>
      <category color="250,208,120,255" label="colour 10" render="true" pointSize="0" value="10"/>
      <category color="190,160,228,255" label="colour 11" render="true" pointSize="0" value="11"/>
      <category color="122,214,200,255" label="colour 12" render="true" pointSize="0" value="12"/>
      <category color="244,164,204,255" label="colour 13" render="true" pointSize="0" value="13"/>
      <category color="206,164,128,255" label="colour 14" render="true" pointSize="0" value="14"/>
      <category color="178,48,60,255" label="colour 15" render="true" pointSize="0" value="15"/>
      <category color="48,130,66,255" label="colour 16" render="true" pointSize="0" value="16"/>
      <category color="204,120,28,255" label="colour 17" render="true" pointSize="0" value="17"/>
      <category color="102,66,156,255" label="colour 18" render="true" pointSize="0" value="18"/>
      <category color="22,128,130,255" label="colour 19" render="true" pointSize="0" value="19"/>
      <category color="180,62,122,255" label="colour 20" render="true" pointSize="0" value="20"/>
      <category color="124,138,30,255" label="colour 21" render="true" pointSize="0" value="21"/>
      <category color="118,74,46,255" label="colour 22" render="true" pointSize="0" value="22"/>
      <category color="58,72,164,255" label="colour 23" render="true" pointSize="0" value="23"/>
      <category color="84,168,255,255" label="colour 24" render="true" pointSize="0" value="24"/>
      <category color="120,200,60,255" label="colour 25" render="true" pointSize="0" value="25"/>
      <category color="255,190,30,255" label="colour 26" render="true" pointSize="0" value="26"/>
      <category color="180,110,230,255" label="colour 27" render="true" pointSize="0" value="27"/>
      <category color="40,200,220,255" label="colour 28" render="true" pointSize="0" value="28"/>
      <category color="255,90,150,255" label="colour 29" render="true" pointSize="0" value="29"/>
      <category color="200,210,50,255" label="colour 30" render="true" pointSize="0" value="30"/>
      <category color="110,130,255,255" label="colour 31" render="true" pointSize="0" value="31"/>
    </categories>
  </renderer>
  <blendMode>0</blendMode>
</qgis>
