import assert from 'node:assert/strict'
import { memberOf, type Stack } from '../stack-parts.ts'
import { receivedSpans } from './apm-stack.ts'
import { type Fault, PAUSE_MS, startRequests, until } from './fault.ts'
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
    const requests = startRequests(logUrl(stack), 1, PAUSE_MS)
    const spansOfKilled = await killRepeatedly(stack, name)
    const [before, { pid }] = [requests.answers(), memberOf(stack, name)]
    await until(() => requests.answers() > before && memberOf(stack, name).pid !== pid)
    const { good, failed } = await requests.stop()
    // The ledger of lines: the checkpoint has the counts of killed transports, too, and the stack's sum has not.
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
    assert.equal(logLines?.dropped, 0, 'lines were dropped')
    assert.equal(
      spans?.emitted,
      (spans?.delivered ?? 0) + (spans?.dropped ?? 0) + spansOfKilled,
      'the ledger of spans is open',
    )
    return `${good} requests served meanwhile, none failed; ${logLines?.emitted} lines, ${spans?.emitted} spans, none lost; ${spansOfKilled} spans were counted by a killed apm-agent`
  },
}))

/**
 * Kills a process until its restarts are spent.
 * @returns the number of spans that killed processes had counted: those counts end with their process
 */
async function killRepeatedly(stack: Stack, name: string): Promise<number> {
  const member = memberOf(stack, name)
  const app = memberOf(stack, 'app')
  let spans = 0
  for (let death = 1; death <= DEATHS; death++) {
    const { pid } = member
    // Nothing comes between the count and the kill.
    if (name === 'apm-agent') {
      app.signal('SIGSTOP')
      spans += await receivedSpans(member)
    }
    await until(() => member.signal('SIGKILL'))
    app.signal('SIGCONT')
    if (death < DEATHS) await until(() => member.pid !== pid)
  }
  return spans
}
