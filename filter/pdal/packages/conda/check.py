# SPDX-License-Identifier: BSD-3-Clause
"""Renders the conda recipe for Linux and macOS with rattler-build:

    pip install py-rattler-build==0.73.0 && python check.py

Building needs conda-forge's packages; this lists what would be built of what.
"""

import json
from pathlib import Path

from rattler_build import PlatformConfig, RenderConfig, Stage0Recipe, VariantConfig

path = Path(__file__).parent / "recipe" / "recipe.yaml"
recipe = Stage0Recipe.from_file(str(path))
compilers = {"linux-64": ("gcc", "gxx"), "osx-arm64": ("clang", "clangxx")}
for platform, (c, cxx) in compilers.items():
    variants = VariantConfig({"c_compiler": [c], "cxx_compiler": [cxx], "c_stdlib": ["sysroot"]})
    (variant,) = recipe.render(variants, RenderConfig(platform=PlatformConfig(target_platform=platform)))
    rendered = variant.recipe.to_dict()
    print(platform, json.dumps({key: rendered[key] for key in ("package", "build", "requirements", "tests")}, indent=1))
