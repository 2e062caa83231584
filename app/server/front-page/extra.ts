import { DEFAULT_OTLP_URL } from '../../../lib/telemetry/otel-environment.ts'
import { isNeeded } from '../../concerns.ts'
import type { Extra, ExtraContext } from '../extra.ts'
import { createFrontPage } from './route.ts'

export function createExtra({ config, composition }: ExtraContext): Extra {
  const hasLivePage = isNeeded('apm-agent', composition)
  const liveUrl = new URL('/', config.liveUrl ?? config.otlpUrl ?? DEFAULT_OTLP_URL).href
  return { routes: () => [createFrontPage(hasLivePage ? liveUrl : undefined)] }
}
