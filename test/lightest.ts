import { lastStep } from '../app/steps.ts'

/** The last step without what has no part in what is answered. */
export const lightest = {
  ...lastStep.composition,
  ...({ compute: 'inline', logging: 'none', apm: 'none', rendering: 'string' } as const),
}
