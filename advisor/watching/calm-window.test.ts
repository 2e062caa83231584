import assert from 'node:assert/strict'
import { test } from 'node:test'
import { profileCalmly, refuseUncertain } from './calm-window.ts'
import type { ThreadWindow } from './thread.ts'
import type { Windows } from './watch-process.ts'

/** A window of ten seconds, in which the control takes 0.3 s. @param times the milliseconds that it ran, and waited for a core */
function windowOf(times: string): ThreadWindow {
  const [cpuMicros, waitedMicros] = times.split('/').map(ms => Number(ms) * 1000)
  const control = { controlMicros: 200_000, totalMicros: 300_000 }
  return { wallMs: 10_000, cpuMicros, waitedMicros, control } as ThreadWindow
}

for (const [what, windows, expected] of [
  ['the first if it ran for long enough and hardly waited', '5000/0', { ranMs: 5000, taken: 1 }],
  [
    'the first that ran for long enough, however calm others were',
    '310/0 5000/50',
    { ranMs: 5000, taken: 2 },
  ],
  ['the calmest that ran for long enough', '4000/4000 310/0 5000/3000', { ranMs: 5000, taken: 3 }],
] as const)
  test(`of the windows of a profile is taken ${what}`, async () => {
    let taken = 0
    const all = windows.split(' ').map(windowOf)
    const profile = async () => [all[taken++] ?? windowOf('0/0')] as Windows
    const [main] = await profileCalmly({ profile }, 10_000)
    assert.deepEqual({ ranMs: main.cpuMicros / 1000, taken }, expected)
  })

test('the spectrum of a thread that hardly ran, or mostly waited for a core, is refused with what to do', () => {
  for (const [window, message] of [
    ['450/0', /used only 0\.15 s of CPU time in 10 s: moving nothing/],
    ['1000/1500', /used 0\.70 s .*, and waited for a core for 1\.5 times/],
  ] as const)
    assert.throws(() => refuseUncertain(windowOf(window)), { name: 'UserError', message })
  refuseUncertain(windowOf('1000/100'))
})
