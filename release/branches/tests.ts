import { createHash } from 'node:crypto'
import { findPackages, type Lock } from '../../lib/build/sources/packages.ts'
import { type File, readJson } from './git.ts'
import { Graph } from './graph.ts'
import { isTestOfStep } from './rules.ts'
import type { Branch } from './update.ts'

/**
 * The tests of a branch, each with a hash of all that its outcome depends on: the content of the files that it reaches, by imports
 * or by paths in quotes, and the versions of their packages. A test with the same hash on two branches is the same test.
 */
export function testsOf({ step, tree }: Pick<Branch, 'step' | 'tree'>): ReadonlyMap<string, string> {
  const graph = new Graph(tree, step, () => false)
  const { packages } = readJson<Lock>(tree, 'package-lock.json')
  const hashOf = (test: string) => {
    const hash = createHash('sha256')
    const files = [...graph.reach([test])].sort()
    for (const path of files) hash.update(`${path}\n`).update(contentOf(path, tree.get(path) as File))
    for (const folder of [...findPackages(packages, graph.packagesOf(files), true)].sort())
      hash.update(`${folder} ${packages[folder]?.version}\n`)
    return hash.digest('hex')
  }
  return new Map([...tree.keys()].filter(isTestOfStep).map(path => [path, hashOf(path)]))
}

/** Of package.json only what a process reads: its packages count by their versions, and its scripts are no code. */
function contentOf(path: string, { content, hash }: File): string | Buffer {
  if (path !== 'package.json') return hash ?? content
  const { name, version, type } = JSON.parse(content.toString())
  return JSON.stringify({ name, version, type })
}

/** Chooses the tests of one branch after the other that differ from those that were chosen before. */
export class TestChoice {
  readonly #chosen = new Set<string>()

  /** @returns the paths of the tests, in part or all */
  choose(tests: ReadonlyMap<string, string>): string[] {
    const added = [...tests].filter(([, hash]) => !this.#chosen.has(hash))
    for (const [, hash] of added) this.#chosen.add(hash)
    return added.map(([path]) => path)
  }
}
