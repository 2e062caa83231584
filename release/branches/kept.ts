import { type Concern, concerns, namesOf } from '../../app/concerns.ts'
import type { Step } from '../../app/steps.ts'
import type { Tree } from './git.ts'
import { Graph } from './graph.ts'
import { type Manifest, scriptFiles } from './manifest.ts'
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
  /** Scripts, tests and entries of lists that were left out, each with the reason. */
  readonly left: ReadonlyMap<string, string>
}

/**
 * Derives the content of a step: all files that its processes, its load test and the scripts of `package.json` reach,
 * and the tests, benches and faults whose files are all present.
 * @throws Error when a file that every step needs reaches a file of another step
 */
export function keep(tree: Tree, step: Step, { scripts, dependencies }: Manifest): Kept {
  const others = new Set([
    ...concerns.flatMap(concern => otherImplementations(step, concern)),
    ...Object.keys(neededBy).filter(path => !isNeededBy(step, path)),
  ])
  const isOther = (path: string) => others.has(path) || isAboutSeveral(path)
  const graph = new Graph(tree, step, isOther)
  const left = new Map<string, string>()
  const has = (path: string) => tree.has(path)
  const isFit = (path: string) => note(path, graph.misfit(path))
  const note = (path: string, reason: string | undefined) => {
    if (reason) left.set(path, reason)
    return !reason
  }

  for (const table of choices.filter(has)) graph.reduce(table, path => !isOther(path), true)
  for (const table of lists.filter(has)) if (!isHelper(table)) graph.reduce(table, isFit)
  for (const path of required) {
    const reason = has(path) ? graph.misfit(path) : 'there is no such file'
    if (reason) throw new Error(`${path} cannot be on the branch of step ${step.name}: ${reason}`)
  }
  const started = Object.values(scripts).flatMap(scriptFiles).filter(has)
  const service = graph.reach([...required, ...started.filter(path => !isHelper(path) && isFit(path))])
  const installed = graph.packagesOf(service)

  const isServed = (path: string): boolean => {
    if (!isFit(path)) return false
    const reached = graph.reach([path])
    const file = [...reached].find(each => !isHelper(each) && !isCommon(each) && !service.has(each))
    const name = [...graph.packagesOf(reached)].find(each => each in dependencies && !installed.has(each))
    return note(path, file ?? name)
  }
  for (const table of lists.filter(has)) if (isHelper(table)) graph.reduce(table, isServed)
  const roots = [...tree.keys()].filter(isTestOfStep)
  const files = new Set([...service, ...graph.reach(roots.filter(isServed))])
  return { files, changed: graph.changed, packages: graph.packagesOf(files), left }
}

const isAboutSeveral = (path: string) =>
  aboutSeveral.includes(path) || ofMain.some(folder => path.startsWith(folder))

function isNeededBy({ composition }: Step, path: string): boolean {
  const [concern, name] = neededBy[path] as (typeof neededBy)[string]
  return composition[concern] === name
}

const otherImplementations = ({ composition }: Step, concern: Concern): string[] =>
  (namesOf(concern) as string[])
    .filter(name => name !== composition[concern])
    .map(name => `app/concerns/${concern}/${name}.ts`)
    .filter(path => !standIns.includes(path))
