import type { Step } from '../../app/steps.ts'
import { figuresOf, showFigures } from './figures.ts'
import type { Tree } from './git.ts'
import { branchOf, stepBefore } from './names.ts'
import { reasonOf } from './reason.ts'

/** This line identifies a commit that this command made, and whose branch it may therefore replace. */
const TRAILER = 'Step-Branch'

/** The message of the commit of a step: the move, its reason, and its gain. */
export function messageFor(whole: Tree, step: Step): string {
  const before = stepBefore(step)
  const { name, composition } = step
  const concern = name as keyof typeof composition
  const title = before
    ? `perf(${name}): move ${before.composition[concern]} to ${composition[concern]}`
    : 'refactor: keep what the first step uses'
  return `${title}

${reasonOf(whole, step)}

${showFigures(figuresOf(whole, step))}

${TRAILER}: ${branchOf(step)}
`
}

export const isOurs = (message: string, branch: string): boolean =>
  message.trimEnd().endsWith(`\n${TRAILER}: ${branch}`)
