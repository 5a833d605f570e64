"""Writes superpoint/help.html, the page of the Help button, from the help texts and
parameters of the algorithms; run with the Python of QGIS 3.24 or newer: python3 help.py"""

import html
import os
import sys

from qgis.core import QgsApplication, QgsProcessingParameterDefinition

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path += [os.path.join(HERE, ".."), "/usr/share/qgis/python/plugins"]

HEAD = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Superpoint in QGIS</title>
<style>
body { max-width: 52em; margin: 2em auto; padding: 0 1em; font: 16px/1.5 sans-serif; color: #222 }
table { border-collapse: collapse; margin: 1em 0 } td, th { text-align: left; padding: .2em .8em .2em 0;
vertical-align: top; border-bottom: 1px solid #ddd } code { font-size: 90% } .advanced { color: #777 }
</style>
</head>
<body>
<h1>Superpoint in QGIS</h1>
<p>Superpoints are small connected parts of a point cloud, each of one object, that follow the borders of roofs, walls,
trees and ground. The tools run <code>pdal</code>, with its plugin filters.superpoint, as a separate process.</p>
<p>A result is shown with one colour for each of 32 groups of superpoints, so that adjacent ones differ, the highest
points on top, and with eye-dome lighting (from QGIS 3.30 on; View &gt; Panels &gt; Layer Styling, page Shading
Renderer, switches it off for the project). Its second style, <i>embedding</i>, shows the learned embedding: points of
one object have similar colours.</p>
<p>If pdal is not found, the message lists where it was searched. Settings &gt; Options &gt; Processing &gt; Providers
&gt; Superpoint has a field for the program and one for the folder of the plugin.</p>
"""


def page(algorithms):
    yield HEAD + "<ul>"
    for a in algorithms:
        yield f'<li><a href="#{a.name()}">{html.escape(a.displayName())}</a></li>'
    yield "</ul>"
    for a in algorithms:
        yield f'<h2 id="{a.name()}">{html.escape(a.displayName())}</h2>'
        for paragraph in a.shortHelpString().split("\n\n"):
            yield f"<p>{html.escape(paragraph)}</p>"
        yield "<table><tr><th>parameter</th><th>meaning</th><th>default</th></tr>"
        for p in a.parameterDefinitions():
            advanced = p.flags() & QgsProcessingParameterDefinition.FlagAdvanced
            default = "" if p.defaultValue() is None else str(p.defaultValue())
            yield (f'<tr{" class=advanced" if advanced else ""}><td><code>{p.name()}</code></td>'
                   f"<td>{html.escape(p.description())}</td><td>{html.escape(default)}</td></tr>")
        yield "</table>"
    yield "</body>\n</html>"


def main():
    application = QgsApplication([], False)
    application.initQgis()
    from superpoint.provider import Provider
    provider = Provider()
    provider.refreshAlgorithms()
    order = {a.name(): a for a in provider.algorithms()}
    with open(os.path.join(HERE, "..", "superpoint", "help.html"), "w", encoding="utf-8") as file:
        file.write("\n".join(page(order.values())) + "\n")
    application.exitQgis()


if __name__ == "__main__":
    main()
