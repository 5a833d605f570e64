package georef_test

import (
	"fmt"

	"superpoint/filter/georef"
)

func ExampleReference_Unit() {
	feet := georef.Reference{WKT: `PROJCS["a",GEOGCS["b",UNIT["degree",0.0174532925199433]],UNIT["foot",0.3048]]`}
	metres, geographic, err := feet.Unit()
	fmt.Println(metres, geographic, err)
	// Output: 0.3048 false <nil>
}

func ExampleReference_Code() {
	fmt.Println(georef.Reference{WKT: `PROJCRS["UTM 32",BASEGEOGCRS["b",ID["EPSG",4326]],ID["EPSG",32632]]`}.Code())
	// Output: EPSG 32632
}
