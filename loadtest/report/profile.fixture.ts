import type { Profiler } from 'node:inspector'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const urlOf = (file: string) => pathToFileURL(join(import.meta.dirname, '../..', file)).href

const node = (id: number, functionName: string, url: string, children: number[] = []) => ({
  id,
  callFrame: { functionName, scriptId: '0', url, lineNumber: 9, columnNumber: 0 },
  children,
})

/**
 * A profile as V8 writes it: a route that works for 1 ms, a task of 3 ms in it, 0.5 ms of garbage collection, 2 ms of
 * sleep.
 */
export const profileFixture: Profiler.Profile = {
  nodes: [
    node(1, '(root)', '', [2, 4, 5]),
    node(2, 'serve', urlOf('app/routes.ts'), [3]),
    node(3, 'enumerate', urlOf('workers/tasks.ts')),
    node(4, '(garbage collector)', ''),
    node(5, '(idle)', ''),
  ],
  startTime: 0,
  endTime: 6500,
  samples: [2, 3, 4, 5],
  timeDeltas: [0, 1000, 3000, 500],
}
