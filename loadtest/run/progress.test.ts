import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Results } from '../outcome/results.ts'
import type { Settings } from '../outcome/settings.ts'
import { selectRows } from '../sample/rows.ts'
import type { Sample } from '../sample/sample.ts'
import { createProgress } from './progress.ts'

const settings = {
  rounds: 2,
  budgetSeconds: null,
  narrowPercent: 1.5,
  baseline: 'previous',
  warmupSeconds: 2,
  durationSeconds: 4,
  seed: 7,
} as Settings
const rows = selectRows('0-1', undefined, {})
const results = { environment: { date: '2026-01-02T03:04:05.678Z' } } as Results

function write(settings: Settings, tell: (progress: ReturnType<typeof createProgress>) => void): string[] {
  let written = ''
  const stream = { isTTY: false, write: (text: string) => (written += text) } as unknown as NodeJS.WriteStream
  tell(createProgress(rows, settings, 4318, stream))
  return written.trimEnd().split('\n')
}

describe('progress', () => {
  test('begins with what is planned and what can be found by it', () => {
    assert.deepEqual(
      write(settings, ({ plan }) => plan(results)),
      [
        '2 samples a block; 2 blocks, about 32 s; order from seed 7',
        'too few blocks for a verdict',
        'results go to loadtest/results/2026-01-02T03-04-05-678Z/results.json',
        'watch http://127.0.0.1:4318/ once the first sample runs (an open page adds to the total cost, not to the main-thread cost)',
      ],
    )
    assert.deepEqual(write({ ...settings, budgetSeconds: 600 }, ({ plan }) => plan(results)).slice(0, 2), [
      '2 samples a block; blocks until every ratio is known to ±1.5 % or 10 min 0 s are spent, at most about 37; order from seed 7',
      'with the usual noise, this run can find a change of 2.5 % of the main-thread cost',
    ])
  })

  test('has a line for every sample, and says why one was refused', () => {
    const [row] = rows
    assert.ok(row)
    const lines = write(settings, ({ finished }) => {
      finished(row, { round: 1, valid: true, mainThreadMicros: 99.6, goodput: 12 } as Sample)
      finished(row, { round: 2, valid: false, reason: '3 errors' } as Sample)
    })
    assert.match(lines[0] ?? '', /^\[block 1\/2\] monolith: 100 µs on the main thread, 12 good\/s · .* left$/)
    assert.match(lines[1] ?? '', /^\[block 2\/2\] monolith: refused: 3 errors · /)
  })

  test('says how narrow the widest interval is that decides when to stop', () => {
    const known = (ci95: [number, number] | null) => ({ versusPrevious: { mainThreadMicros: { ci95 } } })
    const steps = [{ versusPrevious: null }, known([0.9, 1.1]), known([0.99, 1.01]), known(null)]
    const lines = write(settings, ({ finishedBlock }) =>
      finishedBlock({ blocks: 1, spentMs: 1, blockMs: 1, steps: steps as never }),
    )
    assert.deepEqual(lines, ['main-thread ratios are known to ±10.6 %'])
  })
})
