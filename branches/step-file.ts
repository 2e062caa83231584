import { concerns } from '../app/concerns.ts'
import type { Step } from '../app/steps.ts'

/** The file that says which steps there are. */
export const STEPS_FILE = 'app/available-steps.ts'

/** That file where there is one step. */
export const describeStep = ({
  number,
  name,
  composition,
}: Step): string => `import type { Step } from './steps.ts'

/** The step of this branch. */
export const availableSteps: readonly Step[] = [
  {
    number: ${number},
    name: '${name}',
    composition: {
${concerns.map(concern => `      ${concern}: '${composition[concern]}',`).join('\n')}
    },
  },
]
`
