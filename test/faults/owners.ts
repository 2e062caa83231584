import assert from 'node:assert/strict'
import { join } from 'node:path'
import { firstStep } from '../../app/steps.ts'
import { launchCommand } from '../run-command.ts'
import { logPlaces, placeFlags } from '../stack-parts.ts'
import { type Fault, PAUSE_MS, startRequests, until } from './fault.ts'
import { logUrl, startLoggingStack } from './logging-stack.ts'
import { step } from './protocol.ts'
import { deliveredNumbers, upTo } from './written-lines.ts'

/** Faults that start a second owner of a directory, a log file or a socket. */
export const ownerFaults: readonly Fault[] = [
  {
    name: 'a second stack in the directories of the first',
    seconds: 5,
    async run(directory) {
      const { logDir, logFile } = logPlaces(directory)
      const apmSocket = join(directory, 'agent.sock')
      const elsewhere = logPlaces(join(directory, 'elsewhere'))
      const stack = await startLoggingStack(directory, { app: { apmSocket } })
      const requests = startRequests(logUrl(stack), 1, PAUSE_MS)
      const refusals = [
        { flag: '--log-dir', app: { ...elsewhere, logDir } },
        { flag: '--log-file', app: { ...elsewhere, logFile } },
        { flag: '--apm-socket', app: { ...elsewhere, apmSocket } },
      ]
      for (const { flag, app } of refusals)
        await assert.rejects(startLoggingStack(directory, { app }), {
          name: 'UserError',
          message: new RegExp(
            `did not start: cannot use .* \\((logger-transport|apm-agent), process \\d+, uses it\\); choose another with ${flag}$`,
          ),
        })
      // Without logger-transport, the library in the app writes the file itself.
      await assert.rejects(
        startLoggingStack(directory, { composition: firstStep.composition }),
        /app did not start: cannot use .* \(logger-transport, process \d+, uses it\); choose another with --log-file$/,
      )
      const { good, failed } = await requests.stop()
      await stack.stop()
      assert.equal(failed, 0, `${failed} requests failed`)
      assert.deepEqual(deliveredNumbers(directory), upTo(good * 10))
      return `${refusals.length + 1} stacks refused in one line that names the owner; ${good * 10} lines of the first, all delivered, none twice`
    },
  },
  {
    name: 'two stacks started at the same moment, and one after a SIGKILL',
    seconds: 10,
    async run(directory) {
      const start = () => launchCommand('stack/main.ts', [...placeFlags(directory), `--step=${step.name}`])
      const both = [start(), start()]
      const [[code], loser] = await Promise.race(
        both.map(each => each.ended.then(end => [end, each] as const)),
      )
      assert.equal(code, 1)
      assert.match(await loser.line(/^error: /), /, process \d+, uses it\); choose another with --/)
      const winner = both.find(each => each !== loser) as (typeof both)[0]
      await winner.line(/^ +try /)
      winner.child.kill('SIGKILL')
      // The processes of the killed stack still finish their work, and own their places as long as they do.
      let tries = 0
      await until(async () => {
        tries++
        const next = start()
        const isUp = await next.line(/^ +try /).then(
          () => true,
          () => false,
        )
        next.child.kill('SIGTERM')
        const [nextCode] = await next.ended
        assert.equal(nextCode, isUp ? 0 : 1)
        return isUp
      })
      return `one of two started; after its SIGKILL the next start worked at try ${tries}`
    },
  },
]
