# Superpoints of every LAS and LAZ of a folder, for PowerShell 5 and newer:
#
#   pipelines\folder.ps1 tiles superpoints --filters.superpoint.target_size=100
#
# Files whose output is there are left out, so that an interrupted run goes on.
# An output has its name only when it is whole. $env:PDAL names the pdal to use.
param(
    [Parameter(Mandatory = $true)][string]$In,
    [Parameter(Mandatory = $true)][string]$Out,
    [Parameter(ValueFromRemainingArguments = $true)][string[]]$Options
)
$pdal = if ($env:PDAL) { $env:PDAL } else { 'pdal' }
New-Item -ItemType Directory -Force -Path $Out | Out-Null
$failed = 0
Get-ChildItem -Path $In -File | Where-Object { $_.Extension -in '.las', '.laz' } | ForEach-Object {
    $target = Join-Path $Out $_.Name
    if (Test-Path $target) { return }
    $part = Join-Path $Out (".part-" + $_.Name)
    & $pdal pipeline (Join-Path $PSScriptRoot 'first.json') "--readers.las.filename=$($_.FullName)" "--writers.las.filename=$part" @Options
    if ($LASTEXITCODE -eq 0) {
        Move-Item $part $target
        Write-Output $target
    } else {
        Remove-Item -Force -ErrorAction SilentlyContinue $part
        Write-Error "$($_.FullName): failed" -ErrorAction Continue
        $script:failed = 1
    }
}
exit $failed
