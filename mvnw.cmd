@echo off
rem Runs Maven: the one on the PATH if it is 3.8 or newer, else the one that
rem .mvn\wrapper\maven-wrapper.properties names, downloaded once and checked.
rem Maven itself finds .mvn\jvm.config and .mvn\maven.config.
setlocal enableextensions
set "MVNW_SCRIPT=%~f0"
set "MVNW_MAVEN="
for /f "usebackq delims=" %%m in (`powershell -NoProfile -ExecutionPolicy Bypass -Command "Invoke-Expression ((Get-Content -Raw -LiteralPath $env:MVNW_SCRIPT) -split '(?m)^# The part in PowerShell.*$')[-1]"`) do set "MVNW_MAVEN=%%m"
if not defined MVNW_MAVEN exit /b 1
call "%MVNW_MAVEN%" %*
exit /b %ERRORLEVEL%

# The part in PowerShell (it prints the path of the Maven to run)

$ErrorActionPreference = 'Stop'
$ProgressPreference = 'SilentlyContinue'
try {
	$found = Get-Command mvn.cmd -ErrorAction SilentlyContinue | Select-Object -First 1
	if ($found) {
		$version = cmd /c "`"$($found.Source)`" -B -v 2>nul" | Out-String
		if ($version -match 'Apache Maven (\d+)\.(\d+)') {
			$major = [int] $Matches[1]
			if ($major -gt 3 -or ($major -eq 3 -and [int] $Matches[2] -ge 8)) {
				$found.Source
				exit 0
			}
		}
	}

	$file = Join-Path (Split-Path $env:MVNW_SCRIPT) '.mvn\wrapper\maven-wrapper.properties'
	$properties = ConvertFrom-StringData (Get-Content -Raw -LiteralPath $file)
	$url = $properties.distributionUrl
	$archive = ($url -split '/')[-1]
	$name = $archive -replace '-bin\.zip$', ''
	$user = $env:MAVEN_USER_HOME
	if (-not $user) {
		$user = Join-Path $env:USERPROFILE '.m2'
	}
	$dists = Join-Path $user 'wrapper\dists'
	$maven = Join-Path $dists $name
	$mvn = Join-Path $maven 'bin\mvn.cmd'
	if (-not (Test-Path -LiteralPath $mvn)) {
		[Console]::Error.WriteLine("mvnw: no Maven 3.8 or newer on the PATH, downloading $url")
		$work = Join-Path $dists ('.' + [guid]::NewGuid())
		New-Item -ItemType Directory -Force -Path $work | Out-Null
		try {
			$zip = Join-Path $work $archive
			[Net.ServicePointManager]::SecurityProtocol = [Net.SecurityProtocolType]::Tls12
			Invoke-WebRequest -UseBasicParsing -Uri $url -OutFile $zip
			foreach ($bits in '256', '512') {
				$expected = $properties["distributionSha${bits}Sum"]
				if ($expected) {
					$actual = (Get-FileHash -Algorithm "SHA$bits" -LiteralPath $zip).Hash
					if ($actual -ne $expected) {
						throw "$archive has the SHA-$bits $actual, not $expected as in ${file}: it is not used"
					}
				}
			}
			Expand-Archive -LiteralPath $zip -DestinationPath $work
			if (-not (Test-Path -LiteralPath $mvn)) {
				Move-Item -LiteralPath (Join-Path $work $name) -Destination $maven
			}
		}
		finally {
			Remove-Item -Recurse -Force -LiteralPath $work -ErrorAction SilentlyContinue
		}
	}
	$mvn
	exit 0
}
catch {
	[Console]::Error.WriteLine("mvnw: $_. Install Maven 3.8 or newer and put it on the PATH.")
	exit 1
}
