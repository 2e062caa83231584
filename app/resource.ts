import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import manifest from '../package.json' with { type: 'json' }

/** Who speaks, in every log line and all telemetry. Keys of the OpenTelemetry resource are made from these. */
export interface Resource {
  readonly service: string
  readonly version: string
  readonly host: string
  readonly pid: number
  /** Of this process, and of no other that ever was. */
  readonly instance: string
}

export const resource: Resource = Object.freeze({
  service: 'app',
  version: manifest.version,
  host: hostname(),
  pid: process.pid,
  instance: randomUUID(),
})
