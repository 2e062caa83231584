import assert from 'node:assert/strict'
import { memberOf, type Stack } from '../stack-parts.ts'
import { type Fault, until } from './fault.ts'
import { LINES_PER_REQUEST, PAUSE_MS, receivedSpans, startLoaded, untilDelivered } from './loaded-stack.ts'
import { checkAll, deliveredNumbers } from './written-lines.ts'

/** Restarts within a minute that are no accidents are spent by this number of deaths. */
const DEATHS = 6

/** Faults that kill a process beside the app again and again: the app serves without it, and then with it. */
export const deathFaults: readonly Fault[] = ['logger-transport', 'apm-agent', 'orders'].map(name => ({
  name: `${name} dies until its restarts are spent`,
  seconds: 20,
  async run(directory) {
    const { stack, requests, member, finish } = await startLoaded(directory, {
      clients: 1,
      pauseMs: PAUSE_MS,
    })
    const spansOfKilled = await killRepeatedly(stack, name, () => requests.answered(20))
    const { pid } = member(name)
    await requests.answered(1)
    await until(() => member(name).pid !== pid)
    await requests.stop()
    // The ledger of lines: the checkpoint has the counts of killed transports, too, and the stack's sum has not.
    await untilDelivered(stack)
    const { good, logLines, spans, says } = await finish({ isKilled: true })
    checkAll(deliveredNumbers(directory), good * LINES_PER_REQUEST)
    assert.equal(logLines.dropped, 0, 'lines were dropped')
    assert.equal(
      spans.emitted,
      spans.delivered + spans.dropped + spansOfKilled,
      'the ledger of spans is open',
    )
    return `${says}, none lost; ${spansOfKilled} spans were counted by a killed apm-agent`
  },
}))

/**
 * Kills a process until its restarts are spent.
 * @param work resolves when the process has had something to do
 * @returns the number of spans that killed processes had counted: those counts end with their process
 */
async function killRepeatedly(stack: Stack, name: string, work: () => Promise<void>): Promise<number> {
  const member = memberOf(stack, name)
  const app = memberOf(stack, 'app')
  let spans = 0
  for (let death = 1; death <= DEATHS; death++) {
    await work()
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
