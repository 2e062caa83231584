import { lastStep } from '../app/steps.ts'

/** The last step without the concerns that do not change answers. */
export const lightest = {
  ...lastStep.composition,
  ...({ compute: 'inline', logging: 'none', apm: 'none', rendering: 'string' } as const),
}
