import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { toPrometheusText } from '../lib/telemetry/prometheus.ts'
import { temporaryDirectory } from '../test/temporary-directory.ts'
import { figuresOf } from './figures.ts'
import { follow, leaveWriter, taking } from './follow.fixture.ts'
import type { Target } from './targets/contract.ts'

const SEGMENTS = 10
const LINES = 5
const LINE_BYTES = 100
/** Half of this may wait for a target: the segment at its position and three more. */
const diskBytes = 8 * LINES * LINE_BYTES

/** Writes the segments of a writer that has ended. @returns the directory of all writers */
function writeSegments(t: TestContext): string {
  const directory = temporaryDirectory(t)
  const lines = upTo(ALL).map(lineOf)
  const segments = Array.from({ length: SEGMENTS }, () => lines.splice(0, LINES).join(''))
  leaveWriter(join(directory, 'writer'), { resource: {}, diskBytes }, segments, ALL)
  return directory
}

const lineOf = (sequence: number) => `{"sequence":${String(sequence).padStart(LINE_BYTES - 14)}}\n`

/** @param pace the targets of which none may be behind this one, or the bound would drop lines that only this one has */
function living(name: string, pace: readonly { readonly got: readonly unknown[] }[] = []) {
  const target = taking(name)
  const deliver: Target['deliver'] = async records => {
    while (pace.some(other => other.got.length < target.got.length)) await delay(1)
    return target.deliver(records)
  }
  return { ...target, deliver }
}

const refusing = (name: string): Target => ({
  name,
  deliver: () => Promise.reject(new Error('no')),
  close: async () => {},
})

const hanging = (name: string): Target => ({
  name,
  deliver: () => new Promise(() => {}),
  close: async () => {},
})

/** Follows the segments until `until` returns true. @returns the metrics at that moment, and the counts at the end */
async function followUntil(logDirectory: string, targets: readonly Target[], until: () => boolean) {
  const { metrics, end } = follow(logDirectory, targets)
  while (!until()) await delay(5)
  const shown = toPrometheusText(await figuresOf(metrics))
  return { shown, counts: await end() }
}

const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1)
const ALL = SEGMENTS * LINES
/** The numbers of the lines in the first segment and in the last three. */
const KEPT = upTo(ALL).filter(number => number <= LINES || number > ALL - 3 * LINES)

describe('a target that takes no lines', { concurrency: true }, () => {
  for (const dead of [refusing, hanging])
    test(`and is ${dead.name} drops the oldest that another has, counts them, and gets the rest later`, async t => {
      const directory = writeSegments(t)
      const pace: ReturnType<typeof living>[] = []
      const [file, other] = [living('file', pace), living('other', pace)]
      pace.push(file, other)
      const first = await followUntil(
        directory,
        [file, dead('dead'), other],
        () => file.got.length === ALL && other.got.length === ALL,
      )
      assert.deepEqual([file.got, other.got], [upTo(ALL), upTo(ALL)])
      assert.deepEqual(first.counts, { delivered: 0, dropped: ALL - KEPT.length, rejected: 0 })
      assert.ok(existsSync(join(directory, 'writer')))
      const healed = living('dead')
      const later = await followUntil(directory, [file, healed, other], () => healed.got.length > 0)
      assert.deepEqual(healed.got, KEPT)
      assert.deepEqual([file.got.length, other.got.length], [ALL, ALL])
      assert.deepEqual(later.counts, { delivered: KEPT.length, dropped: ALL - KEPT.length, rejected: 0 })
      assert.match(later.shown, /^logger_transport_lines_dropped_total\{target="dead"\} 30$/m)
      assert.ok(!existsSync(join(directory, 'writer')))
    })

  test('drops nothing that no other has: the writer does', async t => {
    const directory = writeSegments(t)
    let attempts = 0
    const deliver = async () => {
      attempts++
      throw new Error('no')
    }
    const dead = ['one', 'two'].map(name => ({ name, deliver, close: async () => {} }))
    const { counts, shown } = await followUntil(directory, dead, () => attempts > 2)
    assert.deepEqual(counts, { delivered: 0, dropped: 0, rejected: 0 })
    assert.match(shown, new RegExp(`^logger_transport_lag_bytes\\{target="one"\\} ${ALL * LINE_BYTES}$`, 'm'))
    const healed = ['one', 'two'].map(name => living(name))
    await followUntil(directory, healed, () => healed.every(({ got }) => got.length === ALL))
    assert.deepEqual(
      healed.map(({ got }) => got),
      [upTo(ALL), upTo(ALL)],
    )
  })
})
