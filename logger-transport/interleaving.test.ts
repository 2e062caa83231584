import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { seededRandom } from '../lib/random.ts'
import { temporaryDirectory } from '../test/temporary-directory.ts'
import { follow } from './follow.fixture.ts'
import { Interleaving } from './interleaving.fixture.ts'
import { SegmentWriter } from './main-thread/segment-writer.ts'
import { fieldsOf } from './record.ts'
import type { Target } from './targets/contract.ts'

const LINES = 200
/** With these limits, the lines make about ten batches and three segments. */
const limits = {
  batchChars: 400,
  flushSoon: (flush: () => void) => void setTimeout(flush),
  memoryChars: 2 ** 20,
  segmentBytes: 1000,
  diskBytes: 2 ** 30,
}
const resource = { service: 'app', version: '1', host: 'h', pid: 1, instance: 'a' }
/**
 * This silence is short enough for the fixture's clock, so that the transport takes the living writer for dead at
 * times.
 */
const SILENT_MS = 1000
/** This name is too long for the path of a socket, so that the transport can judge only by silence. */
const DEEP = 'x'.repeat(108)

interface Run {
  readonly seed: number
  /** Whether someone removes the directories of the writer now and then. */
  readonly isRobbed: boolean
}

/**
 * Runs a writer, a transport that is restarted now and then, and possibly a robber, who removes directories. Each of
 * them may pause at any step.
 */
async function interleave(t: TestContext, { seed, isRobbed }: Run) {
  const random = seededRandom(seed)
  const root = temporaryDirectory(t)
  const logDirectory = join(root, DEEP)
  const actors = new Interleaving(t, random)
  const delivered: Record<string, number[]> = { one: [], other: [] }
  const targets = Object.entries(delivered).map(
    ([name, lines]): Target => ({
      name,
      async deliver(records) {
        for (let turns = random() * 30; turns > 0; turns--) await turn()
        lines.push(...records.map(record => fieldsOf(record).sequence as number))
        return []
      },
      async close() {},
    }),
  )
  let [isWritten, isOver] = [false, false]

  const robbing = actors.act('robber', async () => {
    while (isRobbed && !isWritten) {
      for (let turns = random() * 600; turns > 0 && !isWritten; turns--) await turn()
      const names = isWritten
        ? []
        : readdirSync(logDirectory).filter(name => name.startsWith(resource.instance))
      // The writer may write to a directory while the robber empties it; then the directory stays.
      for (const name of names) await rm(join(logDirectory, name), { recursive: true }).catch(() => {})
    }
  })
  const writing = actors.act('writer', async () => {
    const writer = new SegmentWriter(logDirectory, resource, limits, {
      onTrouble() {},
      onMoved() {},
    })
    for (let sequence = 1; sequence <= LINES; sequence++) {
      writer.write(`${JSON.stringify({ sequence })}\n`)
      for (let turns = random() * 20; turns > 0; turns--) await turn()
    }
    isWritten = true
    await robbing
    await writer.close()
    return writer.dropped
  })
  const following = actors.act('transport', async () => {
    for (;;) {
      const { metrics, end } = follow(logDirectory, targets, SILENT_MS)
      const lasts = isOver
      for (let turns = random() * 3000; turns > 0 && !isOver; turns--) await turn()
      const counts = await end()
      // On a busy machine, also the last transport may run out of time.
      const isAllDelivered = [...(await metrics.readLags()).values()].every(bytes => bytes === 0)
      if (lasts && isAllDelivered) return counts
    }
  })
  const dropped = await writing.finally(() => {
    isOver = true
  })
  return { delivered, dropped, counts: await following }
}

const ascending = (numbers: readonly number[]) =>
  numbers.every((each, index) => each > (numbers[index - 1] ?? 0))

describe('a writer and a transport that pause between any two steps', () => {
  for (let seed = 1; seed <= 5; seed++) {
    test(`lose no line and deliver none twice (seed ${seed})`, async t => {
      const run = await interleave(t, { seed, isRobbed: false })
      const all = Array.from({ length: LINES }, (_, index) => index + 1)
      assert.deepEqual(run.delivered, { one: all, other: all })
      assert.deepEqual([run.dropped, run.counts], [0, { delivered: LINES, dropped: 0, rejected: 0 }])
    })

    test(`count what a robber takes (seed ${seed})`, async t => {
      const run = await interleave(t, { seed, isRobbed: true })
      for (const numbers of Object.values(run.delivered)) assert.ok(ascending(numbers), String(numbers))
      const fewest = Math.min(...Object.values(run.delivered).map(({ length }) => length))
      assert.equal(run.counts.delivered, fewest)
      assert.equal(fewest + run.counts.dropped + run.dropped, LINES)
    })
  }
})
