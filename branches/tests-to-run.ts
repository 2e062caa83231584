import { createHash } from 'node:crypto'
import type { Step } from '../app/steps.ts'
import type { Tree } from './git.ts'
import { Graph } from './graph.ts'

/**
 * The tests beside the modules of a tree that have not been run yet. A test that reaches the same texts on two branches
 * has the same result, so it is run once. A test of the load test is always run only once, because it reaches almost
 * all files.
 * @param seen the tests that have been run; the returned tests are added
 */
export function testsToRun(tree: Tree, step: Step, seen: Set<string>): string[] {
  const graph = new Graph(tree, step, () => false)
  const tests = [...tree.keys()].filter(path => path.endsWith('.test.ts') && !path.startsWith('test/'))
  return tests.filter(path => {
    const key = path.startsWith('loadtest/') ? path : hashReached(graph, path)
    return !seen.has(key) && seen.add(key)
  })
}

function hashReached(graph: Graph, path: string): string {
  const hash = createHash('sha256')
  for (const file of [...graph.reach([path])].sort()) hash.update(`${file}\0${graph.text(file)}\0`)
  return hash.digest('hex')
}
