import { ATTR_SERVICE_NAME, ATTR_SERVICE_VERSION } from '@opentelemetry/semantic-conventions'
import { resourceAttributes } from './otel-environment.ts'
import type { Resource } from './resource.ts'

/** The resource in terms of OpenTelemetry's semantic conventions, with the attributes that the environment adds. */
export const describeResource = ({ service, version, host, pid, instance }: Resource) => ({
  ...resourceAttributes(),
  [ATTR_SERVICE_NAME]: service,
  ...(version && { [ATTR_SERVICE_VERSION]: version }),
  'service.instance.id': instance,
  'host.name': host,
  'process.pid': pid,
})
