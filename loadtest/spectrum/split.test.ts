import assert from 'node:assert/strict'
import type { Profiler } from 'node:inspector'
import { describe, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { split } from './split.ts'

const root = pathToFileURL(`${import.meta.dirname}/../../`).href
const frame = (functionName: string, url = '') => ({
  functionName,
  url,
  scriptId: '1',
  lineNumber: 0,
  columnNumber: 0,
})

/** A profile of as many milliseconds in each of these, one after the other. */
function profileOf(spent: Readonly<Record<string, number>>): Profiler.Profile {
  const names = Object.keys(spent)
  const nodes = names.map((name, index) => ({
    id: index + 2,
    // Every object has a property of this name, too.
    callFrame: name.startsWith('(') ? frame(name) : frame('constructor', `${root}${name}`),
  }))
  const samples = nodes.map(({ id }) => id)
  const lasted = names.map(name => (spent[name] as number) * 1000)
  return {
    nodes: [{ id: 1, callFrame: frame('(root)'), children: samples }, ...nodes],
    samples,
    timeDeltas: [0, ...lasted.slice(0, -1)],
    startTime: 1_000_000,
    endTime: 1_000_000 + lasted.reduce((sum, micros) => sum + micros, 0),
  }
}

const inPoints = (share: number) => Math.round(share * 100)

describe("a thread's time", () => {
  test('is split by what V8 saw, and by nothing else where that is all', () => {
    const profile = profileOf({
      'app/concerns/compute/outcome.ts': 60,
      'app/routes.ts': 10,
      '(garbage collector)': 20,
      '(program)': 10,
      '(idle)': 900,
    })
    const { cpuMicros, shares, unattributed } = split({ profile, cpuMicros: 100_000 }, 0, 50)
    assert.equal(cpuMicros, 2000)
    assert.deepEqual(
      [shares.compute, shares.application, shares.gc, shares.native].map(inPoints),
      [60, 10, 20, 10],
    )
    assert.equal(inPoints(unattributed), 0)
  })

  test('is native where it was used and V8 saw the thread idle', () => {
    const profile = profileOf({ 'app/routes.ts': 70, '(idle)': 900 })
    const { shares, unattributed } = split({ profile, cpuMicros: 100_000 }, 0, 1)
    assert.deepEqual([inPoints(shares.native), inPoints(unattributed)], [30, 0])
  })

  test('leaves the control out, and is not native but unattributed as far as the control was missed', () => {
    const spent = { 'app/routes.ts': 70, 'loadtest/sample/handicap.ts': 20, '(idle)': 900 }
    const whole = split({ profile: profileOf(spent), cpuMicros: 120_000 }, 20, 1)
    assert.deepEqual(
      [whole.cpuMicros, inPoints(whole.shares.native), inPoints(whole.unattributed)],
      [100_000, 30, 0],
    )
    const missed = split(
      {
        profile: profileOf({ ...spent, 'app/routes.ts': 35, 'loadtest/sample/handicap.ts': 10 }),
        cpuMicros: 120_000,
      },
      20,
      1,
    )
    // Half of the control is missing, so half of what was in JavaScript is taken to be: 35 of 100.
    assert.deepEqual(
      [inPoints(missed.shares.application), inPoints(missed.shares.native), inPoints(missed.unattributed)],
      [35, 40, 25],
    )
  })

  test('that the profile saw and the thread did not use shows as less than nothing unattributed', () => {
    const { unattributed } = split({ profile: profileOf({ 'app/routes.ts': 120 }), cpuMicros: 100_000 }, 0, 1)
    assert.equal(inPoints(unattributed), -20)
  })
})
