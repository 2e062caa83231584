import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { resourceAttributes } from '../lib/otel-environment.ts'
import type { Resource } from '../lib/resource.ts'
import manifest from '../package.json' with { type: 'json' }

const given = resourceAttributes()

/** The description of this process of the app in logs and telemetry. */
export const resource: Resource = Object.freeze({
  service: given['service.name'] ?? 'app',
  version: given['service.version'] ?? manifest.version,
  host: given['host.name'] ?? hostname(),
  pid: process.pid,
  instance: randomUUID(),
})
