import { setTimeout as delay } from 'node:timers/promises'
import { runCommand } from '../../lib/cli/command.ts'
import { createComplaint } from '../../lib/cli/terminal.ts'
import { joinStack } from '../../lib/processes/join-stack.ts'
import { startPatientLoop } from './closed-loop.ts'
import { LoadWindow } from './load-window.ts'
import type { ScenarioName } from './scenarios.ts'
import { steadyOptions } from './steady-options.ts'
import { tellLive } from './tell-live.ts'

const CHECK_INTERVAL_MS = 1000

await runCommand({
  usage: 'node loadtest/generator/steady.ts [options]',
  description:
    'Keeps a steady load on the app until it is stopped, and checks every answer. Clients pause after an error.',
  options: steadyOptions,
  async run({ url, connections, scenario, liveUrl }) {
    await untilReady(url)
    const window = new LoadWindow()
    const asking = `${connections} connections ask for ${nameOf(scenario)}`
    const stopLoad = startPatientLoop({ url, connections, scenario, firstSeed: 1 }, window)
    window.open()
    const stopTelling = tellLive(liveUrl, window.meter, () => asking)
    const complain = createComplaint()
    const describe = () =>
      `load: ${window.responses} good answers, ${window.errors} errors, ${window.wrongBodies} wrong bodies`
    const check = setInterval(() => {
      if (window.errors + window.wrongBodies > 0) complain(describe())
    }, CHECK_INTERVAL_MS)

    async function close() {
      clearInterval(check)
      stopTelling()
      await stopLoad()
      process.stderr.write(`${describe()}\n`)
      return {}
    }
    // It listens nowhere, so it has no address of its own.
    joinStack({ name: 'load', addresses: {}, close })
    process.stderr.write(`load: ${asking} at ${url}\n`)
  },
})

function nameOf(scenario: ScenarioName): string {
  return scenario === 'mix' ? 'four /demo to one /page' : `/${scenario}`
}

/** Waits until the app is ready. In containers the app may start later than the load. */
async function untilReady(url: string): Promise<void> {
  for (;;) {
    const answer = await fetch(`${url}/readyz`).catch(() => undefined)
    await answer?.arrayBuffer()
    if (answer?.ok) return
    await delay(CHECK_INTERVAL_MS)
  }
}
