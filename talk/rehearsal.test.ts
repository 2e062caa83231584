import assert from 'node:assert/strict'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { steps } from '../app/steps.ts'
import { commandOf } from '../screen/keys.ts'
import { lengths, type Part, readScript } from './deck/script.ts'
import { Board } from './stage/board.ts'
import { readRecording } from './stage/recording.ts'
import { Replay } from './stage/replay.ts'

const TOUR = join(import.meta.dirname, '../docs/results/tour.ndjson')
/** Until the verdict on a step turns from `cannot tell yet` into an interval. */
const VERDICT_SECONDS = 15

/** A key that the script names, and what the clients have to ask for until the key is no longer pressed. */
type Press = readonly [key: string, until: string | undefined]

const pressesOf = ({ blocks }: Part): Press[] =>
  [...blocks.join('\n').matchAll(/\*\*press\*\*([^.:]*)/gis)].flatMap(([, keys = '']) =>
    [...keys.matchAll(/`(.)`(?: until the clients\s+ask\s+for `(\w+)`)?/g)].map(
      ([, key = '', until]) => [key, until] as const,
    ),
  )

/** The published tour, which obeys the keys of the stage. */
function startReplay(t: TestContext) {
  const end = new AbortController()
  t.after(() => end.abort())
  const board = new Board()
  const replay = new Replay(readRecording(TOUR), board)
  void replay.play(end.signal)
  const shown = () => {
    const { step, next, scenario } = board.last('state')?.state ?? assert.fail('nothing is shown')
    return { step: next ?? step, scenario }
  }
  return {
    shown,
    async press([key, until]: Press) {
      const command = commandOf(key)
      // Keys of the page, such as `b` and `c`, change nothing that is measured.
      if (!command) return
      do {
        replay.obey(command)
        await turn()
      } while (until !== undefined && shown().scenario !== until)
    },
  }
}

for (const length of lengths)
  test(`who follows the script of ${length} minutes key by key shows each step, and what its part is about`, async t => {
    const { press, shown } = startReplay(t)
    for (const part of readScript().filter(({ minutes }) => minutes[length] > 0)) {
      const presses = pressesOf(part)
      const stops = presses.filter(([key]) => /\d/.test(key)).length
      assert.ok(part.minutes[length] * 60 >= stops * VERDICT_SECONDS, `${part.title}: too short for its keys`)
      for (const each of presses) await press(each)
      const step = steps.find(({ number }) => part.title.startsWith(`Step ${number}:`))
      const scenario = step?.name === 'rendering' ? 'page' : 'demo'
      if (step) assert.deepEqual(shown(), { step: step.number, scenario }, part.title)
    }
    assert.deepEqual(shown(), { step: steps.at(-1)?.number, scenario: 'mix' })
  })
