import type { Concern } from '../../app/concerns.ts'
import { type Step, steps } from '../../app/steps.ts'

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

/** The name of a branch, such as `step-3-framework`. */
export const branchOf = ({ number, name }: Step): string => `step-${number}-${name}`

/** The step before, if any. */
export const stepBefore = ({ number }: Step): Step | undefined => steps[number - 1]
