import assert from 'node:assert/strict'
import { test } from 'node:test'
import { UserError } from '../../lib/cli/user-error.ts'
import { profileCalmly, refuseUncertain } from './calm-window.ts'
import type { ThreadWindow } from './thread.ts'
import type { Windows } from './watch-process.ts'

/** A window of ten seconds, in which the control takes 0.3 s. */
const windowOf = ([ranMs, waitedMs]: readonly [number, number]) =>
  ({
    wallMs: 10_000,
    cpuMicros: ranMs * 1000,
    waitedMicros: waitedMs * 1000,
    control: { controlMicros: 200_000, totalMicros: 300_000 },
  }) as ThreadWindow

/** Profiles windows one after the other, each of so much CPU time and of so much waiting, in milliseconds. */
async function take(...windows: readonly (readonly [number, number])[]) {
  let taken = 0
  const profile = async () => [windowOf(windows[taken++] ?? [0, 0])] as Windows
  const [main] = await profileCalmly({ profile }, 10_000)
  return { main, taken }
}

for (const [what, windows, expected] of [
  ['the first if it ran for long enough and hardly waited', [[5000, 0]], { ranMs: 5000, taken: 1 }],
  [
    'the first that ran for long enough, however calm one before was',
    [
      [310, 0],
      [5000, 50],
    ],
    { ranMs: 5000, taken: 2 },
  ],
  [
    'the calmest that ran for long enough',
    [
      [4000, 4000],
      [310, 0],
      [5000, 3000],
    ],
    { ranMs: 5000, taken: 3 },
  ],
] as const) {
  test(`of the windows of a profile is taken ${what}`, async () => {
    const { main, taken } = await take(...windows)
    assert.deepEqual({ ranMs: main.cpuMicros / 1000, taken }, expected)
  })
}

for (const [what, window, message] of [
  [
    'a thread that hardly did more than the control',
    [450, 0],
    /used only 0\.15 s of CPU time in 10 s: moving nothing/,
  ],
  [
    'a thread that waited for longer than it ran',
    [1000, 1500],
    /used 0\.70 s of .*, and waited for a core for 1\.5 times/,
  ],
] as const) {
  test(`the spectrum of ${what} is refused with what to do`, () => {
    assert.throws(
      () => refuseUncertain(windowOf(window)),
      (error: Error) => {
        assert.ok(error instanceof UserError)
        assert.match(error.message, message)
        return true
      },
    )
  })
}

test('the spectrum of a thread that ran for long enough is not refused', () => {
  assert.doesNotThrow(() => refuseUncertain(windowOf([1000, 100])))
})
