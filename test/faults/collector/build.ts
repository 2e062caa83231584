import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { findMissingGo, go, reasonOf } from '../../tools/go.ts'
import { toolDirectory } from '../../tools/pypi.ts'

/** Newer versions need modules that not every mirror of the Go module proxy has. */
const VERSION = 'v0.116.0'
const GO_VERSION = 22
const BUILDER = `go.opentelemetry.io/collector/cmd/builder@${VERSION}`
const CACHE = toolDirectory('otel-collector', VERSION)
export const COLLECTOR = join(CACHE, 'collector')

/** Only the components that the faults need: the whole distribution would take far longer to build. */
const MANIFEST = `dist: { name: collector, output_path: ./sources }
receivers: [{ gomod: go.opentelemetry.io/collector/receiver/otlpreceiver ${VERSION} }]
exporters: [{ gomod: github.com/open-telemetry/opentelemetry-collector-contrib/exporter/fileexporter ${VERSION} }]
`

/** Builds OpenTelemetry's collector. @returns the thing that is missing for that, or undefined */
export function findMissing(): string | undefined {
  if (existsSync(COLLECTOR)) return undefined
  const missing = findMissingGo(GO_VERSION)
  if (missing) return missing
  mkdirSync(CACHE, { recursive: true })
  writeFileSync(join(CACHE, 'builder.yaml'), MANIFEST)
  try {
    go(['run', BUILDER, '--config', 'builder.yaml'], { cwd: CACHE })
    renameSync(join(CACHE, 'sources/collector'), COLLECTOR)
    return undefined
  } catch (error) {
    return `OpenTelemetry's collector ${VERSION} cannot be built: ${reasonOf(error)}`
  }
}
