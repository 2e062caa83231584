import { ATTR_SERVICE_NAME, ATTR_SERVICE_VERSION } from '@opentelemetry/semantic-conventions'
import { resourceAttributes } from './otel-environment.ts'
import type { Resource } from './resource.ts'

/** The names of OpenTelemetry's semantic conventions for the parts of a resource. */
export const resourceNames = {
  service: ATTR_SERVICE_NAME,
  version: ATTR_SERVICE_VERSION,
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
