import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import manifest from '../package.json' with { type: 'json' }

/** Who speaks, in every log line and all telemetry. Keys of the OpenTelemetry resource are made from these. */
export const resource = Object.freeze({
  service: 'app',
  version: manifest.version,
  host: hostname(),
  pid: process.pid,
  instance: randomUUID(),
})

export type Resource = typeof resource
