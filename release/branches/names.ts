import { type Concern, concerns, namesOf } from '../../app/concerns.ts'
import { type Step, steps } from '../../app/steps.ts'

/** `compute: 'threads'`, `logging === 'sidecar'`, `rendering: name = 'threads'`, `apm: ['none', 'sidecar']`. */
const chosen = new RegExp(
  `\\b(${concerns.join('|')})\\s*(?::|===|=)\\s*(?:\\w+\\s*=\\s*)?(\\[[^\\]\\n]*\\]|'[\\w-]+')`,
  'g',
)

/** The implementations that a text names and that do not belong to this step. */
export const foreignNames = (text: string, { composition }: Step): string[] =>
  [...text.matchAll(chosen)].flatMap(([, concern, values = '']) =>
    [...values.matchAll(/'([\w-]+)'/g)]
      .map(([, value]) => value as string)
      .filter(
        value => isImplementation(concern as Concern, value) && composition[concern as Concern] !== value,
      )
      .map(value => `${concern} ${value}`),
  )

/**
 * On main, options choose one of the implementations in a table, by the numbers of the steps. On the branch of a step the choice is made:
 * a source imports the one that there is.
 */
export const choose = (text: string, { composition }: Step): string =>
  text
    .replace(
      /implementations\.(\w+)\[composition\.\1\]\(\)/g,
      (_, concern: Concern) => `import('./concerns/${concern}/${composition[concern]}.ts')`,
    )
    .replace(
      /`([^`$]*)\$\{composition\.(\w+)\}([^`$]*)`/g,
      (_, before, concern: Concern, after) => `'${before}${composition[concern]}${after}'`,
    )
    .replace(/since\(\d+, (\(\) => import\('[^']+'\))\)/g, '$1')

const isImplementation = (concern: Concern, value: string) => (namesOf(concern) as string[]).includes(value)

/** The name of a branch, such as `step-3-framework`. */
export const branchOf = ({ number, name }: Step): string => `step-${number}-${name}`

/** The step before, if any. */
export const stepBefore = ({ number }: Step): Step | undefined => steps[number - 1]
