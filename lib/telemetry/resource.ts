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

/** The names of OpenTelemetry's semantic conventions for the parts of a resource. */
export const resourceNames = {
  service: 'service.name',
  version: 'service.version',
  host: 'host.name',
  pid: 'process.pid',
  instance: 'service.instance.id',
} as const satisfies Readonly<Record<keyof Resource, string>>

/** The known parts of a resource by these names, with the attributes that the environment adds. */
export function describeResource(resource: Partial<Resource>): Record<string, string | number> {
  const described: Record<string, string | number> = { ...resourceAttributes() }
  for (const [key, name] of Object.entries(resourceNames)) {
    const value = resource[key as keyof Resource]
    if (value !== undefined && value !== '') described[name] = value
  }
  return described
}
