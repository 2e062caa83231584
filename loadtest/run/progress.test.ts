import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { PlannedRun, Results, Settings } from '../outcome/results.ts'
import { type Row, selectRows } from '../sample/rows.ts'
import type { Sample } from '../sample/sample.ts'
import { createRowsProgress, describeFound } from './rows-progress.ts'

const settings = {
  rounds: 2,
  budgetSeconds: null,
  baseline: 'previous',
  warmupSeconds: 2,
  durationSeconds: 4,
  seed: 7,
} as Settings
const rows = selectRows('0-1', undefined, {})
const results = { environment: { date: '2026-01-02T03:04:05.678Z' } } as Results

function write(
  settings: Settings,
  tell: (progress: ReturnType<typeof createRowsProgress>) => void,
  plan: Partial<PlannedRun> = {},
  isTTY = false,
): string[] {
  let written = ''
  const stream = { isTTY, write: (text: string) => (written += text) } as unknown as NodeJS.WriteStream
  tell(createRowsProgress({ rows, settings, verbose: true, ...plan }, 4318, stream))
  return written.trimEnd().split('\n')
}

describe('progress', () => {
  test('begins with what is planned', () => {
    assert.deepEqual(
      write(settings, ({ plan }) => plan(results)),
      [
        '2 samples a block; 2 blocks, about 31 s; order from seed 7',
        'results go to loadtest/results/2026-01-02T03-04-05-678Z/results.json',
        'watch http://127.0.0.1:4318/ once the first sample runs (an open page adds to the total cost, not to the main-thread cost)',
      ],
    )
    assert.equal(
      write({ ...settings, budgetSeconds: 600 }, ({ plan }) => plan(results))[0],
      '2 samples a block; blocks until every ratio is known narrowly or 10 min 0 s are spent; order from seed 7',
    )
  })

  test('of a run that keeps its stacks has no live page, and tells when they start', () => {
    const kept = { ...settings, budgetSeconds: 84, looks: true, keepsStacks: true, durationSeconds: 0.5 }
    const [, , starts = ''] = write(kept, progress => {
      progress.plan(results)
      progress.starting()
    })
    assert.match(starts, /^2 stacks start, at most 1 min 24 s left$/)
  })

  describe('of a run that has promised to be quick', () => {
    const promised = { ...settings, promisedSeconds: 90 }
    const warningOf = (lines: string[]) => lines.find(line => line.startsWith('warning: '))

    test('says before it starts that its own options make it longer', () => {
      const late = /^warning: this run takes about (.*), not the 90 s of --quick: (.*)$/
      const long = write({ ...promised, durationSeconds: 60 }, ({ plan }) => plan(results))
      assert.deepEqual(late.exec(warningOf(long) ?? '')?.slice(1), [
        '4 min 15 s',
        'there are many or long samples',
      ])
    })

    test('says once, as soon as it notices, that it will take longer', t => {
      let nowMs = 0
      t.mock.method(performance, 'now', () => nowMs)
      const lines = write(promised, ({ started, finished }) => {
        for (const valid of [true, false, false]) {
          started(rows[0] as Row, 1)
          nowMs += 30_000
          finished(rows[0] as Row, { round: 1, valid } as Sample)
        }
      })
      const [first = '', second = '', ...others] = lines
      assert.match(first, /1 min 30 s left$/)
      assert.match(
        second,
        /^warning: this run takes about 2 min 0 s, not the 90 s of --quick: the machine is slow/,
      )
      assert.match(others.join(), /1 min 30 s left,.*1 min 30 s left$/)
      assert.equal(others.length, 2)
    })

    test('says so with a budget, too, once its time is over', t => {
      let nowMs = 0
      t.mock.method(performance, 'now', () => nowMs)
      const [row] = rows as [Row]
      const lines = write({ ...promised, budgetSeconds: 83 }, ({ finished }) => {
        nowMs = 120_000
        finished(row, { round: 1, valid: true } as Sample)
      })
      assert.match(
        warningOf(lines) ?? '',
        /^warning: this run takes about 2 min 0 s, not the 90 s of --quick/,
      )
    })
  })

  test('says at the end of a run that nothing is left, also if a row was refused for good', t => {
    let nowMs = 0
    t.mock.method(performance, 'now', () => nowMs)
    const taken = [1, 1, 1, 1, 2].map(round => ({ round, valid: round === 2 }) as Sample)
    const lines = write(
      settings,
      ({ started, finished }) => {
        for (const sample of taken) {
          started(rows[0] as Row, sample.round)
          nowMs += 8000
          finished(rows[0] as Row, sample)
        }
      },
      { rows: rows.slice(0, 1) },
    )
    assert.match(lines.at(-1) ?? '', / 0 s left$/)
  })

  test('has a line for every sample, and says why one was refused', () => {
    const [row] = rows
    assert.ok(row)
    const lines = write(settings, ({ finished }) => {
      finished(row, { round: 1, valid: true, mainThreadMicros: 99.6, goodput: 12 } as Sample)
      finished(row, { round: 2, valid: true, mainThreadMicros: 1, goodput: 1, noise: 'wait' } as Sample)
      finished(row, { round: 2, valid: false, reason: '3 errors' } as Sample)
    })
    assert.match(lines[0] ?? '', /^\[block 1\/2\] monolith: 100 µs on the main thread, 12 good\/s · .* left$/)
    assert.match(lines[1] ?? '', /1 good\/s \(noisy\) · /)
    assert.match(lines[2] ?? '', /^\[block 2\/2\] monolith: refused: 3 errors · /)
  })

  test('has no line for a sample that counts unless it is verbose', () => {
    const [row] = rows
    assert.ok(row)
    const tell = ({ finished }: ReturnType<typeof createRowsProgress>) => {
      finished(row, { round: 1, valid: true, mainThreadMicros: 1, goodput: 1 } as Sample)
      finished(row, { round: 1, valid: false, reason: '3 errors' } as Sample)
    }
    const lines = write(settings, tell, { verbose: false })
    assert.equal(lines.length, 1)
    assert.match(lines[0] ?? '', /refused: 3 errors/)
  })

  describe('of a quick run', () => {
    const quick = { ...settings, budgetSeconds: 84, looks: true, keepsStacks: true, durationSeconds: 0.5 }
    const tell = ({ plan, starting, finished, finishedBlock }: ReturnType<typeof createRowsProgress>) => {
      plan(results)
      starting()
      finished(rows[0] as Row, { round: 1, valid: false, reason: '3 errors' } as Sample)
      for (const block of [1, 2]) finishedBlock(block, '0 of 1 difference decided')
      finishedBlock(3, '1 of 1 difference decided')
    }

    test('is one line that moves on a terminal, and in a pipe a line for each block that has found something', () => {
      const piped = write(quick, tell, { verbose: false })
      assert.deepEqual(piped.map(line => line.replace(/at most .*$/, '…')), [
        '2 stacks start, …',
        '[block 1] 0 of 1 difference decided · …',
        '[block 3] 1 of 1 difference decided · …',
      ]) // biome-ignore format: a list
      assert.equal(write(quick, tell, { verbose: false }, true).length, 1)
    })
  })

  test('says how narrow the widest interval is that decides when to stop', () => {
    const known = (ci95: [number, number] | null) => ({ versusPrevious: { mainThreadMicros: { ci95 } } })
    const steps = [{ versusPrevious: null }, known([0.9, 1.1]), known([0.99, 1.01]), known(null)]
    const found = describeFound(steps as never, settings)
    const lines = write(settings, ({ finishedBlock }) => finishedBlock(1, found))
    assert.equal(lines.length, 1)
    assert.match(lines[0] ?? '', /^\[block 1\/2\] main-thread ratios are known to ±10\.6 % · .* left$/)
  })
})
