<!DOCTYPE qgis PUBLIC 'http://mrcc.com/qgis.dtd' 'SYSTEM'>
<qgis version="3.22.0" styleCategories="Symbology">
 <renderer-v2 type="singleSymbol" symbollevels="0" enableorderby="1" forceraster="0">
  <symbols>
   <symbol type="marker" name="0" alpha="0.7" clip_to_extent="1" force_rhr="0">
    <layer class="SimpleMarker" enabled="1" locked="0" pass="0">
     <Option type="Map">
      <Option type="QString" name="name" value="circle"/>
      <Option type="QString" name="color" value="90,174,97,255"/>
      <Option type="QString" name="outline_color" value="0,68,27,255"/>
      <Option type="QString" name="outline_style" value="solid"/>
      <Option type="QString" name="outline_width" value="0.2"/>
      <Option type="QString" name="outline_width_unit" value="MM"/>
      <Option type="QString" name="scale_method" value="diameter"/>
      <Option type="QString" name="size" value="4"/>
      <Option type="QString" name="size_unit" value="RenderMetersInMapUnits"/>
     </Option>
     <data_defined_properties>
      <Option type="Map">
       <Option type="QString" name="name" value=""/>
       <Option type="Map" name="properties">
        <Option type="Map" name="size">
         <Option type="bool" name="active" value="true"/>
         <Option type="QString" name="field" value="crown"/>
         <Option type="int" name="type" value="2"/>
        </Option>
       </Option>
       <Option type="QString" name="type" value="collection"/>
      </Option>
     </data_defined_properties>
    </layer>
   </symbol>
  </symbols>
  <rotation/>
  <sizescale/>
  <orderby>
   <orderByClause asc="1" nullsFirst="1">"height"</orderByClause>
  </orderby>
 </renderer-v2>
 <blendMode>0</blendMode>
 <featureBlendMode>0</featureBlendMode>
 <layerGeometryType>0</layerGeometryType>
</qgis>
