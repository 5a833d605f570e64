# Superpoints of every LAS and LAZ of a folder, for PowerShell 5 and newer:
#
#   pipelines\folder.ps1 tiles superpoints --target_size 100
#
# The same as `pdal superpoint segment IN OUT`. $env:PDAL names the pdal to use.
param(
    [Parameter(Mandatory = $true)][string]$In,
    [Parameter(Mandatory = $true)][string]$Out,
    [Parameter(ValueFromRemainingArguments = $true)][string[]]$Options
)
$pdal = if ($env:PDAL) { $env:PDAL } else { 'pdal' }
& $pdal superpoint segment @Options $In ($Out.TrimEnd('/', '\') + [IO.Path]::DirectorySeparatorChar)
exit $LASTEXITCODE
