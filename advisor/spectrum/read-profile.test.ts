import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readProfile } from './read-profile.ts'

const callFrame = { functionName: 'f', url: 'file:///srv/main.js', scriptId: '1' }
const node = (id: number, other: object = {}) => ({ id, callFrame, ...other })
const samples = { samples: [2, 3], timeDeltas: [1, 2], startTime: 10, endTime: 20 }

test('nodes may name their children or their parent', () => {
  const down = readProfile({
    ...samples,
    nodes: [node(1, { children: [2] }), node(2, { children: [3] }), node(3)],
  })
  const up = readProfile({ ...samples, nodes: [node(1), node(2, { parent: 1 }), node(3, { parent: 2 })] })
  const childrenOf = (profile: typeof up) => profile?.nodes.map(({ children }) => children)
  assert.deepEqual(childrenOf(up), [[2], [3], []])
  assert.deepEqual(childrenOf(down), childrenOf(up))
})

test('samples come in the order of their times, and an absent end is that of the last sample', () => {
  const nodes = [node(1, { children: [2, 3] }), node(2), node(3)]
  const read = readProfile({ nodes, samples: [2, 3, 2], timeDeltas: [5, -3, 4] })
  assert.deepEqual(read?.samples, [3, 2, 2])
  assert.deepEqual(read?.timeDeltas, [2, 3, 1])
  assert.deepEqual([read?.startTime, read?.endTime], [0, 6])
})

const nodes = [node(1, { children: [2, 3] }), node(2), node(3)]
const broken: Readonly<Record<string, object | null>> = {
  null: null,
  'a list': [],
  'no sample': { nodes, samples: [], timeDeltas: [] },
  'a sample of no node': { ...samples, nodes, samples: [2, 9] },
  'a time that is no number': { ...samples, nodes, timeDeltas: [1, '2'] },
  'a time without end': { ...samples, nodes, timeDeltas: [1, Number.POSITIVE_INFINITY] },
  'a circle': { ...samples, nodes: [node(1), node(2, { children: [3] }), node(3, { children: [2] })] },
  'two parents': { ...samples, nodes: [node(1, { children: [3] }), node(2, { children: [3] }), node(3)] },
  'a child that is absent': { ...samples, nodes: [...nodes, node(4, { children: [9] })] },
  'a parent that is absent': { ...samples, nodes: [...nodes, node(4, { parent: 9 })] },
  'two nodes with one id': { ...samples, nodes: [...nodes, node(3)] },
  'a node without a function': { ...samples, nodes: [...nodes, { id: 4 }] },
}

test('what is no tree with samples is no profile', () => {
  for (const [name, given] of Object.entries(broken)) assert.equal(readProfile(given), undefined, name)
})
