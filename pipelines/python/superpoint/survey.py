# SPDX-License-Identifier: BSD-3-Clause
"""python -m superpoint.survey PROJECT: a planned survey on Dask.

The package has a function of this name. A program that imports this module replaces the function in the package by the
module, so the module can be called too.
"""

import sys
from types import ModuleType
from typing import Any

from ._cluster import main, survey


class _Function(ModuleType):
    """A module that is called as the function of its name."""

    def __call__(self, *arguments: Any, **options: Any) -> dict[str, Any]:
        return survey(*arguments, **options)


sys.modules[__name__].__class__ = _Function

if __name__ == "__main__":
    sys.exit(main())
