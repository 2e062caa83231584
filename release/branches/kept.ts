import { type Concern, concerns, namesOf } from '../../app/concerns.ts'
import type { Step } from '../../app/steps.ts'
import type { Tree } from './git.ts'
import { Graph } from './graph.ts'
import type { Manifest } from './manifest.ts'
import {
  aboutSeveral,
  choices,
  isCommon,
  isHelper,
  isTestOfStep,
  lists,
  neededBy,
  ofMain,
  required,
  standIns,
} from './rules.ts'

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
 * Derives the content of a step: all files that its processes and its load test reach, and the tests whose files are all
 * present.
 * @throws Error when a file that every step needs reaches a file of another step
 */
export function keep(tree: Tree, step: Step, { dependencies }: Manifest): Kept {
  const others = new Set([
    ...concerns.flatMap(concern => otherImplementations(step, concern)),
    ...Object.keys(neededBy).filter(path => !isNeededBy(step, path)),
  ])
  const isOther = (path: string) => others.has(path) || isAboutSeveral(path)
  const graph = new Graph(tree, step, isOther)
  const has = (path: string) => tree.has(path)
  const isFit = (path: string) => graph.misfit(path) === undefined

  for (const table of choices.filter(has)) graph.reduce(table, path => !isOther(path))
  for (const table of lists.filter(has)) graph.reduce(table, isFit)
  for (const path of required) {
    const reason = has(path) ? graph.misfit(path) : 'there is no such file'
    if (reason) throw new Error(`${path} cannot be on the branch of step ${step.name}: ${reason}`)
  }
  const service = graph.reach(required)
  const installed = graph.packagesOf(service)

  const isServed = (path: string): boolean => {
    if (!isFit(path)) return false
    const reached = graph.reach([path])
    const isHere = (each: string) => isHelper(each) || isCommon(each) || service.has(each)
    const isInstalled = (name: string) => !(name in dependencies) || installed.has(name)
    return [...reached].every(isHere) && [...graph.packagesOf(reached)].every(isInstalled)
  }
  const tests = [...tree.keys()].filter(path => isTestOfStep(path) && isServed(path))
  const files = new Set([...service, ...graph.reach(tests)])
  return { files, changed: graph.changed, packages: graph.packagesOf(files) }
}

const isAboutSeveral = (path: string) =>
  aboutSeveral.includes(path) || ofMain.some(folder => path.startsWith(folder))

function isNeededBy({ composition }: Step, path: string): boolean {
  const [concern, name] = neededBy[path] as (typeof neededBy)[string]
  return composition[concern] === name
}

/** The implementations of a concern that other steps have, each with the test that is named after it. */
const otherImplementations = ({ composition }: Step, concern: Concern): string[] =>
  (namesOf(concern) as string[])
    .filter(name => name !== composition[concern])
    .map(name => `app/concerns/${concern}/${name}`)
    .filter(path => !standIns.includes(`${path}.ts`))
    .flatMap(path => [`${path}.ts`, `${path}.test.ts`])
