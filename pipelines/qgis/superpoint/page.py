"""The page of the Help button of an algorithm, in HTML."""

import html
import string

from qgis.core import QgsProcessingParameterDefinition

PAGE = string.Template("""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>$title</title>
<style>
body { max-width: 52em; margin: 2em auto; padding: 0 1em; font: 16px/1.5 sans-serif; color: #222 }
table { border-collapse: collapse; margin: 1em 0 } td, th { text-align: left; padding: .2em .8em .2em 0;
vertical-align: top; border-bottom: 1px solid #ddd } code { font-size: 90% } .advanced { color: #777 }
</style>
</head>
<body>
<h1>$title</h1>
$text
<table><tr><th>parameter</th><th>meaning</th><th>default</th></tr>
$rows
</table>
<h2>Superpoints</h2>
<p>Superpoints are small connected parts of a point cloud, each of one object, that follow the borders of roofs, walls,
trees and ground. The tools run <code>pdal</code>, with its plugin filters.superpoint, as a separate process.</p>
<p>A result is shown with one colour for each of 32 groups of superpoints, so that adjacent ones differ, the highest
points on top, and with eye-dome lighting (from QGIS 3.30 on; View &gt; Panels &gt; Layer Styling, page Shading
Renderer, switches it off for the project). Its second style, <i>embedding</i>, shows the learned embedding: points of
one object have similar colours.</p>
<p>If pdal is not found, the message lists where it was searched. Settings &gt; Options &gt; Processing &gt; Providers
&gt; Superpoint has a field for the program and one for the folder of the plugin.</p>
</body>
</html>
""")


def of(algorithm):
    """Returns the page of an algorithm: its help text and a table of its parameters."""
    text = "\n".join(f"<p>{html.escape(paragraph)}</p>" for paragraph in algorithm.shortHelpString().split("\n\n"))
    rows = "\n".join(map(_row, algorithm.parameterDefinitions()))
    return PAGE.substitute(title=html.escape(algorithm.displayName()), text=text, rows=rows)


def _row(parameter):
    advanced = parameter.flags() & QgsProcessingParameterDefinition.FlagAdvanced
    default = "" if parameter.defaultValue() is None else str(parameter.defaultValue())
    return (f'<tr{" class=advanced" if advanced else ""}><td><code>{parameter.name()}</code></td>'
            f"<td>{html.escape(parameter.description())}</td><td>{html.escape(default)}</td></tr>")
