import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import type { Resource } from '../lib/resource.ts'
import manifest from '../package.json' with { type: 'json' }

/** The description of this process of the app in logs and telemetry. */
export const resource: Resource = Object.freeze({
  service: 'app',
  version: manifest.version,
  host: hostname(),
  pid: process.pid,
  instance: randomUUID(),
})
