import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { parseOptions } from '../../lib/cli/command-line.ts'
import type { OptionTable, Values } from '../../lib/cli/options.ts'
import type { PlannedRun } from '../outcome/results.ts'
import { aa } from './aa.ts'
import { equalCores } from './equal-cores.ts'
import { isolation } from './isolation.ts'
import { open } from './open.ts'
import { runRows } from './run.ts'

interface Planner {
  readonly options: OptionTable
  plan(values: Values<OptionTable>, abort: AbortSignal): Promise<PlannedRun>
}

const NEVER = new AbortController().signal

const planOf = (command: Planner, flags: readonly string[]) =>
  command.plan(parseOptions(command.options, flags).values, NEVER)

describe('the arguments that results save', () => {
  const cases: readonly [string, Planner, string][] = [
    ['steps', runRows, '--steps 0-2 --budget 3m'],
    ['one step with several implementations', runRows, '--step apm --logging pino,none --rounds 3'],
    ['a handicap', runRows, '--step apm --handicap 3% --spectrum no'],
    ['a first look', runRows, '--quick --json'],
    ['aa', aa, '--step logging --scenario page'],
    ['rates', open, '--step logging --rate 100,200'],
    ['a load beside', isolation, '--steps 0,6 --beside page --threads 2'],
    ['an ablation', runRows, '--ablation --connections 7'],
    ['the size of the pools', equalCores, '--threads 1'],
  ]
  for (const [what, command, flags] of cases) {
    test(`of ${what} plan the same again`, async () => {
      const plan = await planOf(command, flags.split(' '))
      assert.deepEqual(await planOf(command, plan.settings.arguments), plan)
    })
  }
})
