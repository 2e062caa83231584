import assert from 'node:assert/strict'
import type { Stack } from '../../stack/stack.ts'
import { memberOf } from '../member-of.ts'
import { type Fault, startRequests, until } from './fault.ts'
import { logUrl, readLedger, startLoggingStack } from './logging-stack.ts'
import { deliveredNumbers, upTo } from './written-lines.ts'

/** Restarts within a minute that are no accidents are spent by this number of deaths. */
const DEATHS = 6

/** Faults that kill a process beside the app again and again: the app serves without it, and then with it. */
export const deathFaults: readonly Fault[] = ['logger-transport', 'apm-agent', 'orders'].map(name => ({
  name: `${name} dies until its restarts are spent`,
  seconds: 20,
  company: 'many',
  async run(directory) {
    const stack = await startLoggingStack(directory)
    const requests = startRequests(logUrl(stack), 1)
    await killRepeatedly(stack, name)
    await until(async () => (await readReadiness(stack)) === `degraded, missing ${name}`)
    const before = requests.answers()
    await until(async () => requests.answers() > before && (await readReadiness(stack)) === 'ready')
    const { good, failed } = await requests.stop()
    // On a busy machine a stop would end before all lines that waited are delivered.
    await until(async () => {
      const { emitted, delivered } = await readLedger(stack)
      return emitted === delivered
    })
    const { logLines, spans } = await stack.stop()
    assert.equal(failed, 0, `${failed} requests failed`)
    assert.deepEqual(
      [...new Set(deliveredNumbers(directory))].toSorted((a, b) => a - b),
      upTo(good * 10),
    )
    for (const { emitted = 0, delivered = 0, dropped = 0 } of [logLines ?? {}, spans ?? {}])
      assert.equal(emitted, delivered + dropped, 'the ledger is open')
    return `${good} requests served meanwhile, none failed, readiness said degraded; ${logLines?.emitted} lines, ${spans?.emitted} spans, none lost`
  },
}))

async function killRepeatedly(stack: Stack, name: string): Promise<void> {
  const member = memberOf(stack, name)
  for (let death = 1; death <= DEATHS; death++) {
    const { pid } = member
    await until(() => member.signal('SIGKILL'))
    if (death < DEATHS) await until(() => member.pid !== pid)
  }
}

async function readReadiness(stack: Stack): Promise<string> {
  const answer = await fetch(`${stack.address('app')}/readyz`)
  assert.equal(answer.status, 200)
  const { status, missing } = (await answer.json()) as { status: string; missing: string[] }
  return missing.length > 0 ? `${status}, missing ${missing}` : status
}
