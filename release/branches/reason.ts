import type { Step } from '../../app/steps.ts'
import { type Tree, textOf } from './git.ts'

const FIRST_STEP = `Everything runs on the main thread, as a competent team would ship it: production mode, each library set
up as its manual says. Nothing is slow on purpose. Every request waits on this one thread.`

/** The doc comment of the exported function that creates a concern: its last lines before `export const create…`. */
const docComment = /\/\*\*((?:(?!\*\/).)*)\*\/\nexport const create/s

/**
 * The reason for a step: the doc comment of the implementation that the step moves its concern to.
 * @throws Error when that implementation has no doc comment
 */
export function reasonOf(whole: Tree, { name, composition }: Step): string {
  if (name === 'monolith') return FIRST_STEP
  const path = `app/concerns/${name}/${composition[name]}.ts`
  const [, comment] = docComment.exec(textOf(whole, path)) ?? []
  if (!comment) throw new Error(`${path} has no doc comment with the reason for step ${name}`)
  return comment
    .split('\n')
    .map(line => line.replace(/^ *\*? ?/, ''))
    .join('\n')
    .trim()
}
