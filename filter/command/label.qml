<!DOCTYPE qgis PUBLIC 'http://mrcc.com/qgis.dtd' 'SYSTEM'>
<qgis version="3.22.0" styleCategories="Symbology|Fields|Forms">
 <fieldConfiguration>
  <field name="label" configurationFlags="None">
   <editWidget type="ValueMap">
    <config><Option type="Map"><Option type="List" name="map">
     <Option type="Map"><Option type="QString" name="(no label)" value="{2839923C-8B7D-419E-B84B-CA2FE9B80EC7}"/></Option>
     CHOICES
    </Option></Option></config>
   </editWidget>
  </field>
 </fieldConfiguration>
 <renderer-v2 type="categorizedSymbol" attr="coalesce(nullif(&quot;label&quot;,''), case CASES else '' end)" symbollevels="0" enableorderby="1" forceraster="0">
  <categories>CATEGORIES</categories>
  <symbols>SYMBOLS</symbols>
  <rotation/>
  <sizescale/>
  <orderby>
   <orderByClause asc="1" nullsFirst="1">"zmax"</orderByClause>
  </orderby>
 </renderer-v2>
 <blendMode>0</blendMode>
 <featureBlendMode>0</featureBlendMode>
 <layerGeometryType>2</layerGeometryType>
</qgis>
