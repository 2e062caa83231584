import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { toFlags } from '../../lib/cli/command-line.ts'
import { startProcess } from '../../lib/processes/start-process.ts'
import { END_LIMIT_S, faultNames, type IntakeFault, intakeFaults, spanPromises } from './apm/promises.ts'
import { startIntake } from './apm/start-intake.ts'
import { peers } from './index.ts'
import { installed } from './install.ts'

const ROOT = join(import.meta.dirname, '../..')
/** The pause between two requests. */
const PAUSE_MS = 20
/** An intake that answers again gets within this time what it gets at all, except what is sent at the end of the service. */
const RECOVERY_MS = 20_000
const LOOK_MS = 100
/** A try differs from another by when a batch was sent: in percent of the spans, less so near none and all, and in seconds. */
const shareSlack = (share: number) => 1 + (share * (100 - share)) / 80
const WAIT_SLACK_S = 3

const skip = installed() ? false : 'the peers are not installed; `npm run loadtest -- peers` does that'

describe('while the intake is away or silent', { skip, concurrency: 8 }, () => {
  for (const fault of faultNames)
    for (const [name, outcomes] of Object.entries(spanPromises))
      test(`${intakeFaults[fault].title}: apm/${name}`, async t => {
        const [share, mostWaitS] = outcomes[fault]
        const { arrived, waitedS } = await tryFault(t, name, intakeFaults[fault])
        assert.ok(Math.abs(arrived - share) <= shareSlack(share), `${arrived} % arrived`)
        assert.ok(waitedS <= mostWaitS + WAIT_SLACK_S && waitedS >= mostWaitS / 4, `it waited ${waitedS} s`)
      })
})

async function tryFault(t: TestContext, name: string, { state, forMs, untilEnd }: IntakeFault) {
  const { intake, ask, end } = await startService(t, name)
  await ask()
  // An agent may add a span of its own start. Each request has one.
  const before = await arrive(intake, 1, Number.POSITIVE_INFINITY)
  await intake.become(state)
  let asked = 0
  for (const until = Date.now() + forMs; Date.now() < until; asked++) {
    await ask()
    await delay(PAUSE_MS)
  }
  const all = before + asked
  if (!untilEnd) {
    await intake.become('answering')
    await arrive(intake, all, RECOVERY_MS)
  }
  const waitedS = await end()
  if (untilEnd) await intake.become('answering')
  const arrived = (await arrive(intake, all, RECOVERY_MS)) - before
  return { arrived: (100 * arrived) / asked, waitedS }
}

type Intake = Awaited<ReturnType<typeof startIntake>>

/** Waits until the intake has this number of spans. @returns the number that it has then, or when the time is over */
async function arrive({ count }: Intake, expected: number, limitMs: number): Promise<number> {
  for (const until = Date.now() + limitMs; ; await delay(LOOK_MS)) {
    const { spans } = await count()
    if (spans >= expected || Date.now() >= until) return spans
  }
}

/** Starts a service with an implementation of APM, and what it delivers to. */
async function startService(t: TestContext, name: string) {
  const directory = mkdtempSync(join(tmpdir(), 'apm-'))
  t.after(() => rmSync(directory, { recursive: true }))
  const intake = await startIntake(name in peers.apm ? name : 'otlp')
  const apmSocket = join(directory, 'apm-agent.sock')
  if (name === 'sidecar') {
    const flags = toFlags({ port: 0, apmSocket, collectorUrl: intake.address.url })
    const file = join(ROOT, 'apm-agent/main.ts')
    const agent = await startProcess({ name: 'apm-agent', file, flags, echo: false })
    t.after(() => agent.stop())
  }
  t.after(intake.end)
  const service = fork(
    join(import.meta.dirname, 'apm-away.fixture.ts'),
    [name, JSON.stringify(intake.address), apmSocket],
    {
      execArgv: ['--experimental-test-module-mocks', '--no-warnings'],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    },
  )
  const ended = once(service, 'exit')
  t.after(() => service.kill('SIGKILL'))
  const [url] = await Promise.race([
    once(service, 'message'),
    ended.then(([code]) => assert.fail(`it ended with ${code}`)),
  ])
  return {
    intake,
    ask: async () => assert.equal(await (await fetch(url)).text(), 'hello'),
    /** Ends the service. @returns the time that it took, in seconds */
    async end() {
      const beganMs = Date.now()
      service.send('end')
      const kill = setTimeout(() => service.kill('SIGKILL'), END_LIMIT_S * 1000)
      await ended
      clearTimeout(kill)
      return (Date.now() - beganMs) / 1000
    },
  }
}
