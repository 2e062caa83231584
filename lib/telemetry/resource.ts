import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { resourceAttributes } from './otel-environment.ts'

/** The process from which a log line or a span comes. Every log line and all telemetry contain it. */
export interface Resource {
  readonly service: string
  /** Undefined if the service does not say it. */
  readonly version: string | undefined
  readonly host: string
  readonly pid: number
  /** Identifies this process; no other process ever has the same id. */
  readonly instance: string
}

/** The description of this process. The environment variables of OpenTelemetry go before the given names. */
export function describeProcess(named: Pick<Resource, 'service' | 'version'>): Resource {
  const given = resourceAttributes()
  return Object.freeze({
    service: given['service.name'] ?? named.service,
    version: given['service.version'] ?? named.version,
    host: given['host.name'] ?? hostname(),
    pid: process.pid,
    instance: randomUUID(),
  })
}

/** The description of a service that knows nothing of this project: npm names a package that it starts. */
export const describeService = (
  { npm_package_name, npm_package_version }: NodeJS.ProcessEnv = process.env,
): Resource =>
  describeProcess({ service: npm_package_name ?? 'unknown_service:node', version: npm_package_version })
