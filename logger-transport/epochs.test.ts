import assert from 'node:assert/strict'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { temporaryDirectory } from '../test/temporary-directory.ts'
import { followSegments } from './follow.ts'
import { Metrics } from './metrics.ts'
import { CLOSED_FILE, segmentName, WRITER_FILE } from './protocol.ts'

interface Left {
  readonly linesBefore?: number
  /** The sequence numbers of the epoch's first and last line. */
  readonly lines?: readonly [first: number, last: number]
  readonly torn?: string
  readonly linesWritten?: number
}

/** With this many writers, some of their epochs are certainly listed in the wrong order. */
const WRITERS = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']

/** Follows the directories that each of several writers left, until all lines are delivered. */
async function follow(t: TestContext, left: Readonly<Record<string, Left>>) {
  const logDirectory = temporaryDirectory(t)
  for (const instance of WRITERS)
    for (const [suffix, epoch] of Object.entries(left))
      leave(join(logDirectory, instance + suffix), instance, epoch)
  const delivered: Record<string, number[]> = Object.fromEntries(WRITERS.map(instance => [instance, []]))
  const metrics = new Metrics()
  await followSegments({
    logDirectory,
    targets: [
      {
        name: 'file',
        async deliver(records) {
          for (const { instance, sequence } of records.map(({ text }) => JSON.parse(text)))
            delivered[instance as string]?.push(sequence as number)
          return []
        },
        async close() {},
      },
    ],
    metrics,
    silentAfterMs: 60_000,
    finish: AbortSignal.abort(),
  })
  const directories = readdirSync(logDirectory, { withFileTypes: true }).filter(each => each.isDirectory())
  assert.deepEqual(directories, [], 'what is read to the end is deleted')
  assert.deepEqual(new Set(WRITERS.map(instance => String(delivered[instance]))).size, 1)
  return { delivered: delivered.a, lost: metrics.countLines().dropped / WRITERS.length }
}

function leave(
  directory: string,
  instance: string,
  { linesBefore = 0, lines, torn = '', linesWritten }: Left,
) {
  const resource = { service: 'app', version: '1', host: 'h', pid: 1, instance }
  const [first, last] = lines ?? [1, 0]
  const numbers = Array.from({ length: last - first + 1 }, (_, index) => first + index)
  mkdirSync(directory)
  writeFileSync(join(directory, WRITER_FILE), JSON.stringify({ resource, boot: null, linesBefore }))
  const text = numbers.map(sequence => `${JSON.stringify({ sequence })}\n`).join('')
  if (lines) writeFileSync(join(directory, segmentName(1)), text + torn)
  if (linesWritten !== undefined) writeFileSync(join(directory, CLOSED_FILE), String(linesWritten))
}

describe('epochs of a writer', () => {
  test('are read in their order, and what stands in two is delivered once', async t => {
    const left = {
      '.3': { linesBefore: 8, lines: [9, 12], linesWritten: 12 },
      '.ended': { lines: [1, 5] },
      '.2.ended': { linesBefore: 3, lines: [4, 8] },
    } as const
    assert.deepEqual(await follow(t, left), { delivered: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12], lost: 0 })
  })

  test('leave no half line behind where the writer wrote the whole one again', async t => {
    const left = {
      '.ended': { lines: [1, 2], torn: '{"sequ' },
      '.2': { linesBefore: 2, lines: [3, 4], linesWritten: 4 },
    } as const
    assert.deepEqual(await follow(t, left), { delivered: [1, 2, 3, 4], lost: 0 })
  })

  test('tell what someone removed of those before', async t => {
    const left = {
      '.ended': { lines: [1, 4] },
      '.3': { linesBefore: 9, lines: [10, 11], linesWritten: 11 },
    } as const
    assert.deepEqual(await follow(t, left), { delivered: [1, 2, 3, 4, 10, 11], lost: 5 })
  })

  test('tell at their end what someone removed of the last', async t => {
    assert.deepEqual(await follow(t, { '': { lines: [1, 4], linesWritten: 6 } }), {
      delivered: [1, 2, 3, 4],
      lost: 2,
    })
    assert.deepEqual(await follow(t, { '.2': { linesBefore: 3, linesWritten: 3 } }), {
      delivered: [],
      lost: 3,
    })
  })
})
