import { describeProcess, type Resource } from '../lib/telemetry/resource.ts'
import manifest from '../package.json' with { type: 'json' }

/** The description of this process of the app in logs and telemetry. */
export const resource: Resource = describeProcess({ service: 'app', version: manifest.version })
