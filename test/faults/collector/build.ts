import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** The newest version of which the Go module proxy has every module. */
const VERSION = 'v0.116.0'
const GO_VERSION = 22
const BUILDER = `go.opentelemetry.io/collector/cmd/builder@${VERSION}`
/** The collector is built here. It stays until the next `npm ci`; Go keeps what it compiled for longer. */
const CACHE = join(import.meta.dirname, '../../../node_modules/.cache', `otel-collector-${VERSION}`)
export const COLLECTOR = join(CACHE, 'collector')

/** The whole contrib distribution has a hundred times these modules. */
const MANIFEST = `dist: { name: collector, output_path: ./sources }
receivers: [{ gomod: go.opentelemetry.io/collector/receiver/otlpreceiver ${VERSION} }]
exporters: [{ gomod: github.com/open-telemetry/opentelemetry-collector-contrib/exporter/fileexporter ${VERSION} }]
`

/** Builds OpenTelemetry's collector. @returns the thing that is missing for that, or undefined */
export function findMissing(): string | undefined {
  if (existsSync(COLLECTOR)) return undefined
  if (goVersion() < GO_VERSION) return `there is no Go 1.${GO_VERSION} or newer (apt-get install golang)`
  mkdirSync(CACHE, { recursive: true })
  writeFileSync(join(CACHE, 'builder.yaml'), MANIFEST)
  try {
    // The folder is inside a repository, of which Go would otherwise ask git.
    const env = { ...process.env, GOFLAGS: '-buildvcs=false', GOWORK: 'off' }
    const options = { cwd: CACHE, stdio: 'pipe', env } as const
    execFileSync('go', ['run', BUILDER, '--config', 'builder.yaml'], options)
    renameSync(join(CACHE, 'sources/collector'), COLLECTOR)
    return undefined
  } catch (error) {
    const [reason] = String((error as { stderr?: Buffer }).stderr)
      .trim()
      .split('\n')
      .slice(-1)
    return `OpenTelemetry's collector ${VERSION} cannot be built: ${reason}`
  }
}

/** The minor version of Go 1; 0 without Go. */
function goVersion(): number {
  try {
    const version = execFileSync('go', ['env', 'GOVERSION'], { encoding: 'utf8', stdio: 'pipe' })
    return Number(/^go1\.(\d+)/.exec(version)?.[1] ?? 0)
  } catch {
    return 0
  }
}
