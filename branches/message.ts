import type { Step } from '../app/steps.ts'
import { type Figures, showFigures } from './figures.ts'
import { branchOf } from './names.ts'
import { reasons } from './reasons.ts'

/** This line identifies a commit that this command made, and whose branch it may therefore replace. */
const TRAILER = 'Step-Branch'

/** The message of the commit of a step: the move, its reason, and its gain. */
export function messageFor(step: Step, before: Step | undefined, figures: Figures | undefined): string {
  const { name, composition } = step
  const concern = name as keyof typeof composition
  const title = before
    ? `perf(${name}): move ${before.composition[concern]} to ${composition[concern]}`
    : 'refactor: keep what the first step uses'
  return `${title}

${reasons[name]}

${showFigures(figures)}

${TRAILER}: ${branchOf(step)}
`
}

export const isOurs = (message: string, branch: string): boolean =>
  message.trimEnd().endsWith(`\n${TRAILER}: ${branch}`)
