import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { temporaryDirectory } from '../test/temporary-directory.ts'
import { follow, leaveWriter, taking } from './follow.fixture.ts'

interface Left {
  readonly linesBefore?: number
  /** The sequence numbers of the epoch's lines. */
  readonly lines?: readonly number[]
  readonly linesWritten?: number
}

const resource = { service: 'app', version: '1', host: 'h', pid: 1 }

/** With this many writers, some of their epochs are certainly listed in the wrong order. */
const WRITERS = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']

/** Follows the directories that each of several writers left, until all lines are delivered. */
async function followAll(t: TestContext, left: Readonly<Record<string, Left>>) {
  const logDirectory = temporaryDirectory(t)
  for (const instance of WRITERS)
    for (const [suffix, { linesBefore = 0, lines = [], linesWritten }] of Object.entries(left)) {
      const info = { resource: { ...resource, instance }, boot: null, linesBefore }
      const segments = lines.length > 0 ? [lines.map(sequence => `{"sequence":${sequence}}\n`).join('')] : []
      leaveWriter(join(logDirectory, instance + suffix), info, segments, linesWritten)
    }
  const file = taking('file', ({ text }) => JSON.parse(text))
  const { dropped } = await follow(logDirectory, [file]).end()
  const got = file.got as { readonly instance: string; readonly sequence: number }[]
  const deliveredOf = (writer: string) =>
    got.filter(({ instance }) => instance === writer).map(({ sequence }) => sequence)
  const directories = readdirSync(logDirectory, { withFileTypes: true }).filter(each => each.isDirectory())
  assert.deepEqual(directories, [], 'what is read to the end is deleted')
  assert.equal(new Set(WRITERS.map(writer => String(deliveredOf(writer)))).size, 1)
  return { delivered: deliveredOf('a'), lost: dropped / WRITERS.length }
}

describe('epochs of a writer', () => {
  test('are read in their order, and what stands in two is delivered once', async t => {
    const left = {
      '.3': { linesBefore: 8, lines: [9, 10, 11, 12], linesWritten: 12 },
      '.ended': { lines: [1, 2, 3, 4, 5] },
      '.2.ended': { linesBefore: 3, lines: [4, 5, 6, 7, 8] },
    } as const
    assert.deepEqual(await followAll(t, left), {
      delivered: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12],
      lost: 0,
    })
  })

  test('tell at their end what someone removed of the last', async t => {
    assert.deepEqual(await followAll(t, { '': { lines: [1, 2, 3, 4], linesWritten: 6 } }), {
      delivered: [1, 2, 3, 4],
      lost: 2,
    })
    assert.deepEqual(await followAll(t, { '.2': { linesBefore: 3, linesWritten: 3 } }), {
      delivered: [],
      lost: 3,
    })
  })
})
