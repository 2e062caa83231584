import { type Concern, concerns, namesOf } from '../../app/concerns.ts'
import type { Step } from '../../app/steps.ts'
import { reach } from '../../lib/build/sources/references.ts'
import type { Lock } from '../locked-packages.ts'
import { type File, readJson, type Tree, textOf } from './git.ts'
import { Graph } from './graph.ts'
import { manifestOf, reduceLock, reduceManifest, reduceOverrides } from './manifest.ts'
import { readmeFor } from './readme.ts'
import { alwaysKept, branchScripts, isOfMain, neededBy, required, sums } from './rules.ts'
import { withoutUnused } from './used.ts'

/** The rules of imports between folders, which need all folders. */
const importRules = /,\n {2}"overrides": \[.*\n {2}\]/s

const formatJson = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`

/** Makes the tree of a step from the tree of the whole project. */
export function treeOf(whole: Tree, step: Step): Tree {
  const manifest = { ...manifestOf(whole), scripts: branchScripts }
  const kept = keep(whole, step)
  const directories = new Set([...kept.files].flatMap(parentsOf))
  const isKept = (path: string) =>
    whole.has(path) && (kept.files.has(path) || alwaysKept.includes(path) || isBesideKept(path, directories))
  const reduced = reduceManifest(manifest, kept.packages)
  const lock = reduceLock(readJson<Lock>(whole, 'package-lock.json'), reduced)
  const paths = [...whole.keys()].filter(isKept)
  const made = new Map([
    ...kept.changed,
    ['package.json', formatJson(reduceOverrides(reduced, lock))],
    ['package-lock.json', formatJson(lock)],
    ['biome.json', textOf(whole, 'biome.json').replace(importRules, '')],
    ['README.md', readmeFor(whole, step)],
  ])
  return new Map(paths.map(path => [path, fileOf(whole, path, made.get(path))]))
}

function fileOf(whole: Tree, path: string, text: string | undefined): File {
  const file = whole.get(path) as File
  return text === undefined ? file : { mode: file.mode, content: Buffer.from(text) }
}

/** Whether the compiler reads the file implicitly: its settings for a directory, and types without a module. */
const isBesideKept = (path: string, directories: ReadonlySet<string>) =>
  /(^|\/)tsconfig\.json$|\.d\.ts$/.test(path) && directories.has(parentsOf(path)[0] ?? '')

/** The directories above a file, the innermost first. */
function parentsOf(path: string): string[] {
  const parts = path.split('/').slice(0, -1)
  return parts.map((_, index) => parts.slice(0, parts.length - index).join('/'))
}

/** The content of the branch of a step. */
interface Kept {
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
function keep(tree: Tree, step: Step): Kept {
  const others = new Set([
    ...concerns.flatMap(concern => otherImplementations(step, concern)),
    ...Object.entries(neededBy).flatMap(([path, [concern, name]]) =>
      step.composition[concern] === name ? [] : [path],
    ),
  ])
  const isAbsent = (path: string) => others.has(path) || isOfMain(path)
  const roots = required.filter(path => tree.has(path))
  // The parts of a sum stay on the branch only if something else uses them, too.
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
