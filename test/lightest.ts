import { lastStep } from '../app/steps.ts'

/** The last step without the concerns that have no influence on answers. */
export const lightest = {
  ...lastStep.composition,
  ...({ compute: 'inline', logging: 'none', apm: 'none', rendering: 'string' } as const),
}
