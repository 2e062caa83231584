import type { Composition } from '../app/concerns.ts'
import type { AppConfig } from '../app/config.ts'

/** Whether a composition has anything for a sidecar to do. */
export const isNeeded = {
  'logger-transport': ({ logging }: Composition, logTo?: AppConfig['logTo']): boolean =>
    logging === 'sidecar' && logTo !== 'stdout',
  'apm-agent': ({ apm }: Composition): boolean => apm !== 'none',
} as const
