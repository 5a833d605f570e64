<!DOCTYPE qgis PUBLIC 'http://mrcc.com/qgis.dtd' 'SYSTEM'>
<qgis version="3.22.0" styleCategories="Symbology|Symbology3D">
 <renderer-v2 type="singleSymbol" symbollevels="0" enableorderby="0" forceraster="0">
  <symbols>
   <symbol type="fill" name="0" alpha="0.8" clip_to_extent="1" force_rhr="0">
    <layer class="SimpleFill" enabled="1" locked="0" pass="0">
     <Option type="Map">
      <Option type="QString" name="color" value="214,96,77,255"/>
      <Option type="QString" name="style" value="solid"/>
      <Option type="QString" name="outline_color" value="103,0,31,255"/>
      <Option type="QString" name="outline_style" value="solid"/>
      <Option type="QString" name="outline_width" value="0.26"/>
      <Option type="QString" name="outline_width_unit" value="MM"/>
      <Option type="QString" name="joinstyle" value="miter"/>
     </Option>
     <data_defined_properties>
      <Option type="Map">
       <Option type="QString" name="name" value=""/>
       <Option type="Map" name="properties">
        <Option type="Map" name="fillStyle">
         <Option type="bool" name="active" value="true"/>
         <Option type="QString" name="expression" value="if(coalesce(attribute('doubtful'),0)=1,'b_diagonal','solid')"/>
         <Option type="int" name="type" value="3"/>
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
 </renderer-v2>
 <renderer-3d type="vector" layer="">
  <vector-layer-3d-tiling zoom-levels-count="3" show-bounding-boxes="0"/>
  <symbol type="polygon" material_type="phong">
   <data height="0" culling-mode="no-culling" extrusion-height="0" alt-binding="centroid" add-back-faces="0" alt-clamping="absolute" rendered-facade="3" invert-normals="0"/>
   <material diffuse="214,96,77,255" ambient="120,54,43,255" shininess="0" specular="0,0,0,255"/>
   <data-defined-properties>
    <Option type="Map">
     <Option type="QString" name="name" value=""/>
     <Option type="Map" name="properties">
      <Option type="Map" name="height">
       <Option type="bool" name="active" value="true"/>
       <Option type="QString" name="expression" value="&quot;ground&quot;"/>
       <Option type="int" name="type" value="3"/>
      </Option>
      <Option type="Map" name="extrusionHeight">
       <Option type="bool" name="active" value="true"/>
       <Option type="QString" name="expression" value="&quot;block&quot; * (&quot;top&quot; - &quot;ground&quot;) / &quot;height&quot;"/>
       <Option type="int" name="type" value="3"/>
      </Option>
     </Option>
     <Option type="QString" name="type" value="collection"/>
    </Option>
   </data-defined-properties>
   <edges enabled="1" color="103,0,31,255" width="1"/>
  </symbol>
 </renderer-3d>
 <blendMode>0</blendMode>
 <featureBlendMode>0</featureBlendMode>
 <layerGeometryType>2</layerGeometryType>
</qgis>
