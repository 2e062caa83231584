import { createHash } from 'node:crypto'
import type { Step } from '../../app/steps.ts'
import type { Tree } from './git.ts'
import { Graph } from './graph.ts'

/**
 * The tests beside the modules of a tree that have not been run yet. A test that reaches the same texts in two trees has
 * the same result, so it is run once. A test of the load test is run on one branch only, because it reaches almost all
 * files.
 * @param seen the tests that have been run; the returned tests are added
 */
export function testsToRun(tree: Tree, step: Step, seen: Set<string>): string[] {
  return [...hashTests(tree, step)].flatMap(([path, hash]) => {
    const keys = path.startsWith('loadtest/') ? [hash, path] : [hash]
    if (keys.some(key => seen.has(key))) return []
    for (const key of keys) seen.add(key)
    return [path]
  })
}

/** Hashes the texts that each test beside a module reaches. @returns the hashes by the path of the test */
export function hashTests(tree: Tree, step: Step): ReadonlyMap<string, string> {
  const graph = new Graph(tree, step, () => false)
  const tests = [...tree.keys()].filter(path => path.endsWith('.test.ts') && !path.startsWith('test/'))
  return new Map(tests.map(path => [path, hashReached(graph, path)]))
}

function hashReached(graph: Graph, path: string): string {
  const hash = createHash('sha256')
  for (const file of [...graph.reach([path])].sort()) hash.update(`${file}\0${graph.text(file)}\0`)
  return hash.digest('hex')
}
