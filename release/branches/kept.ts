import { type Concern, concerns, namesOf } from '../../app/concerns.ts'
import type { Step } from '../../app/steps.ts'
import { reach } from '../../lib/build/sources/references.ts'
import type { Tree } from './git.ts'
import { Graph } from './graph.ts'
import { isOfMain, neededBy, required, sums } from './rules.ts'
import { withoutUnused } from './used.ts'

/** The content of the branch of a step. */
export interface Kept {
  /** Paths of its sources. */
  readonly files: ReadonlySet<string>
  /** Sources that differ from those of the commit. */
  readonly changed: ReadonlyMap<string, string>
  /** The packages that its sources import. */
  readonly packages: ReadonlySet<string>
}

/**
 * Derives the content of a step: all declarations that its processes, its load test and its test use, when no source names an
 * implementation of another step or a file of main.
 */
export function keep(tree: Tree, step: Step): Kept {
  const others = new Set([
    ...concerns.flatMap(concern => otherImplementations(step, concern)),
    ...Object.entries(neededBy).flatMap(([path, [concern, name]]) =>
      step.composition[concern] === name ? [] : [path],
    ),
  ])
  const isAbsent = (path: string) => others.has(path) || isOfMain(path)
  const roots = required.filter(path => tree.has(path))
  // What a sum adds up is on the branch if something else reaches it, too.
  const all = new Graph(tree, step, isAbsent)
  const reached = reach(roots, path => (sums.includes(path) ? [] : all.referencesOf(path).files))
  const terms = new Set(sums.flatMap(sum => [...all.referencesOf(sum).files]))
  const isBrought = (path: string) => !terms.has(path) || reached.has(path) || !/options\.ts$/.test(path)
  const graph = new Graph(tree, step, path => isAbsent(path) || !isBrought(path))
  const used = withoutUnused(roots, graph)
  const files = used.reach(roots)
  return { files, changed: used.changed, packages: used.packagesOf(files) }
}

/** The implementations of a concern that other steps have. */
const otherImplementations = ({ composition }: Step, concern: Concern): string[] =>
  (namesOf(concern) as string[])
    .filter(name => name !== composition[concern])
    .map(name => `app/concerns/${concern}/${name}.ts`)
