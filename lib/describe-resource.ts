import { ATTR_SERVICE_NAME, ATTR_SERVICE_VERSION } from '@opentelemetry/semantic-conventions'
import type { Resource } from './resource.ts'

/** The resource in terms of OpenTelemetry's semantic conventions. */
export const describeResource = ({ service, version, host, pid, instance }: Resource) => ({
  [ATTR_SERVICE_NAME]: service,
  [ATTR_SERVICE_VERSION]: version,
  'service.instance.id': instance,
  'host.name': host,
  'process.pid': pid,
})
