import assert from 'node:assert/strict'
import { test } from 'node:test'
import { firstStep } from '../../app/steps.ts'
import { Graph } from './graph.ts'
import { withoutUnused } from './used.ts'

const files = {
  'app/main.ts': `import { type Kind, start } from './start.ts'

const kind: Kind = 'all'
start(kind, () => import('./lazy.ts'))
`,
  'app/start.ts': `import { never } from './never.ts'
import { here } from './parts.ts'

export type Kind = 'all' | 'some'

/** Nobody calls it. */
export const unused = () => never()

export const start = (...given: unknown[]) => [...here(), given]
`,
  'app/parts.ts': `export { here } from './here.ts'
export { never } from './never.ts'
`,
  'app/here.ts': `const one = 1

export const two = 2

export const here = () => [one]
`,
  'app/never.ts': `export const never = () => unreached\n\nconst unreached = 1\n`,
  'app/lazy.ts': `export const lazy = 1\n`,
  'app/here.test.ts': `import { two } from './here.ts'\n\nassert(two)\n`,
}

const tree = new Map(
  Object.entries(files).map(([path, text]) => [path, { mode: '100644', content: Buffer.from(text) }]),
)
const used = (tests: readonly string[]) => {
  const roots = ['app/main.ts', ...tests]
  const graph = withoutUnused(roots, new Graph(tree, firstStep, () => false))
  return { graph, files: [...graph.reach(roots)].sort() }
}

test('a branch has no declaration that nothing uses, and no file of which nothing is used', () => {
  const { graph, files } = used([])
  assert.deepEqual(files, ['app/here.ts', 'app/lazy.ts', 'app/main.ts', 'app/parts.ts', 'app/start.ts'])
  assert.equal(
    graph.text('app/start.ts'),
    `import { here } from './parts.ts'

export type Kind = 'all' | 'some'

export const start = (...given: unknown[]) => [...here(), given]
`,
  )
  assert.equal(graph.text('app/parts.ts'), "export { here } from './here.ts'\n")
  assert.equal(graph.text('app/here.ts'), 'const one = 1\n\nexport const here = () => [one]\n')
})

test('what a test uses is used', () => {
  const { graph } = used(['app/here.test.ts'])
  assert.equal(graph.text('app/here.ts'), files['app/here.ts'])
})
