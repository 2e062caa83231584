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
const quick = { ...settings, budgetSeconds: 84, looks: true, keepsStacks: true, durationSeconds: 0.5 }
const rows = selectRows('0-1', undefined, {})
const [row] = rows as [Row]
const results = { environment: { date: '2026-01-02T03:04:05.678Z' } } as Results

type Progress = ReturnType<typeof createRowsProgress>

function write(
  settings: Settings,
  tell: (progress: Progress) => void,
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
        '2 samples a block; 2 blocks; order from seed 7',
        'results go to loadtest/results/2026-01-02T03-04-05-678Z/results.json',
        'watch http://127.0.0.1:4318/ once the first sample runs (an open page adds to the total cost, not to the main-thread cost)',
      ],
    )
    assert.equal(
      write({ ...settings, budgetSeconds: 600 }, ({ plan }) => plan(results))[0],
      '2 samples a block; blocks until every ratio is known narrowly or 10 min 0 s are spent; order from seed 7',
    )
  })

  test('says at the end of a run that nothing is left, also if a row was refused for good', t => {
    let nowMs = 0
    t.mock.method(performance, 'now', () => nowMs)
    const tell = ({ started, finished }: Progress) => {
      for (const round of [1, 1, 1, 1, 2]) {
        started(row, round)
        nowMs += 8000
        finished(row, { round, valid: round === 2 } as Sample)
      }
    }
    assert.match(write(settings, tell, { rows: [row] }).at(-1) ?? '', / 0 s left$/)
  })

  test('has a line for every sample if it is verbose, and else for those that were refused', () => {
    const tell = ({ finished }: Progress) => {
      finished(row, { round: 1, valid: true, mainThreadMicros: 99.6, goodput: 12 } as Sample)
      finished(row, { round: 2, valid: true, mainThreadMicros: 1, goodput: 1, noise: 'wait' } as Sample)
      finished(row, { round: 2, valid: false, reason: '3 errors' } as Sample)
    }
    const [good = '', noisy = '', refused = ''] = write(settings, tell)
    assert.match(good, /^\[block 1\/2\] monolith: 100 µs on the main thread, 12 good\/s · .* left$/)
    assert.match(noisy, /1 good\/s \(noisy\) · /)
    assert.match(refused, /^\[block 2\/2\] monolith: refused: 3 errors · /)
    assert.match(write(settings, tell, { verbose: false }).join(), /^[^,]*refused: 3 errors[^,]*$/)
  })

  test('of a quick run is one line that moves on a terminal, and in a pipe a line for each block that has found something', () => {
    const tell = ({ plan, starting, finished, finishedBlock }: Progress) => {
      plan(results)
      starting()
      finished(row, { round: 1, valid: false, reason: '3 errors' } as Sample)
      for (const block of [1, 2]) finishedBlock(block, '0 of 1 difference decided')
      finishedBlock(3, '1 of 1 difference decided')
    }
    const piped = write(quick, tell, { verbose: false })
    assert.deepEqual(piped.map(line => line.replace(/at most .*$/, '…')), [
      '2 stacks start · …',
      '[block 1] 0 of 1 difference decided · …',
      '[block 3] 1 of 1 difference decided · …',
    ]) // biome-ignore format: a list
    assert.match(piped[0] ?? '', /at most 1 min 24 s left$/)
    assert.equal(write(quick, tell, { verbose: false }, true).length, 1)
  })

  test('says how narrow the widest interval is that decides when to stop', () => {
    const known = (ci95: [number, number] | null) => ({ versusPrevious: { mainThreadMicros: { ci95 } } })
    const steps = [{ versusPrevious: null }, known([0.9, 1.1]), known([0.99, 1.01]), known(null)]
    const found = describeFound(steps as never, settings)
    const lines = write(settings, ({ finishedBlock }) => finishedBlock(1, found))
    assert.deepEqual(lines, ['[block 1/2] main-thread ratios are known to ±10.6 %'])
  })
})
