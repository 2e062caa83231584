import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { handicapFlag } from '../../loadtest/sample/handicap.ts'
import { formatInterval } from '../output/versus.ts'

/** Real runs of each kind. `RUNS=10 npm run test:long -- advisor/versus/known-difference.long.ts` takes up to an hour. */
const RUNS = Number(process.env.RUNS ?? 2)
/** The share of differences that are found, and the number of runs without a difference of which one may cry wolf. */
const [FOUND, ONE_FALSE] = [0.8, 20]

const here = (file: string) => join(import.meta.dirname, file)
const commandOf = (flag: string) => `"${process.execPath}" ${flag} "${here('service.fixture.ts')}"`

/** Compares a service with itself, whose main thread uses this much more CPU time, in at most three minutes. */
async function compareWith(percent: number) {
  const slower = commandOf(percent > 0 ? `"${handicapFlag(percent)}"` : '')
  const args = [here('../main.ts'), 'versus', '--before', commandOf(''), '--after', slower, '--json']
  const { stdout } = await promisify(execFile)(process.execPath, args)
  const { comparisons, blocks } = JSON.parse(stdout)
  return { ...comparisons[0].ratio, blocks: blocks.length }
}

async function countDifferences(percent: number, tell: (line: string) => void): Promise<number> {
  let found = 0
  for (let run = 1; run <= RUNS; run++) {
    const { verdict, ratio, ci95, blocks } = await compareWith(percent)
    if (verdict === 'slower' || verdict === 'faster') found++
    tell(`run ${run}: ${verdict} after ${blocks} blocks, ${ratio.toFixed(3)} ${formatInterval(ci95)}`)
  }
  tell(`${percent} % more: ${found} of ${RUNS} runs say that there is a difference`)
  return found
}

test('a service whose main thread uses 5 % more CPU time is found slower in four runs of five', async t => {
  const found = await countDifferences(5, line => t.diagnostic(line))
  assert.ok(found >= Math.floor(FOUND * RUNS), `${found} of ${RUNS}`)
})

test('a service that is compared with itself is as fast, but for one run of twenty at most', async t => {
  const found = await countDifferences(0, line => t.diagnostic(line))
  assert.ok(found <= Math.floor(RUNS / ONE_FALSE), `${found} of ${RUNS}`)
})
