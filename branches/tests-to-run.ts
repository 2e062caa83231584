import { createHash } from 'node:crypto'
import type { Step } from '../app/steps.ts'
import type { Tree } from './git.ts'
import { Graph } from './graph.ts'

/**
 * The tests beside the modules of a tree that have not been run yet: a test that reaches the same texts as on another
 * branch says the same again. So does one of the load test, which reaches whatever it measures.
 * @param seen what has been run; what is to be run is added
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
