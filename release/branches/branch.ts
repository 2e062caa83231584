import type { Step } from '../../app/steps.ts'
import type { Lock } from '../locked-packages.ts'
import { type File, readJson, type Tree, textOf } from './git.ts'
import { keep } from './kept.ts'
import { manifestOf, reduceLock, reduceManifest, reduceOverrides } from './manifest.ts'
import { readmeFor } from './readme.ts'
import { alwaysKept, branchScripts } from './rules.ts'

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
