<!DOCTYPE qgis PUBLIC 'http://mrcc.com/qgis.dtd' 'SYSTEM'>
<qgis version="3.22.0" styleCategories="Symbology|Fields|Forms">
 <fieldConfiguration>
  <field name="label" configurationFlags="None">
   <editWidget type="ValueMap">
    <config><Option type="Map"><Option type="List" name="map">
     <Option type="Map"><Option type="QString" name="(no label)" value="{2839923C-8B7D-419E-B84B-CA2FE9B80EC7}"/></Option>
     {{range .}}{{with html .Name}}<Option type="Map"><Option type="QString" name="{{.}}" value="{{.}}"/></Option>{{end}}{{end}}
    </Option></Option></config>
   </editWidget>
  </field>
 </fieldConfiguration>
 <renderer-v2 type="categorizedSymbol" attr="coalesce(nullif(&quot;label&quot;,''), case{{range .}}{{if .Name}} when &quot;class&quot;={{.Code}} then '{{html .Quoted}}'{{end}}{{end}} else '' end)" symbollevels="0" enableorderby="1" forceraster="0">
  <categories>
   {{range $k, $c := .}}<category value="{{html .Name}}" symbol="{{$k}}" label="{{html (or .Name "no class")}}" render="true" type="string"/>{{end}}
  </categories>
  <symbols>
   {{range $k, $c := .}}<symbol type="fill" name="{{$k}}" alpha="0.75" clip_to_extent="1" force_rhr="0">
    <layer class="SimpleFill" enabled="1" locked="0" pass="0"><Option type="Map">
      <Option type="QString" name="color" value="{{.Colour}},255"/><Option type="QString" name="style" value="solid"/>
      <Option type="QString" name="outline_color" value="35,35,35,255"/><Option type="QString" name="outline_style" value="solid"/>
      <Option type="QString" name="outline_width" value="0.1"/><Option type="QString" name="outline_width_unit" value="MM"/></Option>
     <data_defined_properties><Option type="Map"><Option type="QString" name="name" value=""/>
       <Option type="Map" name="properties"><Option type="Map" name="outlineWidth"><Option type="bool" name="active" value="true"/>
         <Option type="QString" name="expression" value="if(coalesce(&quot;label&quot;,'')='',0.1,0.8)"/><Option type="int" name="type" value="3"/>
       </Option></Option><Option type="QString" name="type" value="collection"/></Option></data_defined_properties></layer></symbol>{{end}}
  </symbols>
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
