import assert from 'node:assert/strict'
import { join } from 'node:path'
import { firstStep } from '../../app/steps.ts'
import { logPlaces } from '../stack-parts.ts'
import { type Fault, until } from './fault.ts'
import { LINES_PER_REQUEST, launchStack, PAUSE_MS, startLoaded, startLoggingStack } from './loaded-stack.ts'
import { checkInOrder } from './written-lines.ts'

/** Faults that start a second owner of a directory, a log file or a socket. */
export const ownerFaults: readonly Fault[] = [
  {
    name: 'a second stack in the directories of the first',
    seconds: 5,
    async run(directory) {
      const { logDir, logFile } = logPlaces(directory)
      const apmSocket = join(directory, 'agent.sock')
      const elsewhere = logPlaces(join(directory, 'elsewhere'))
      const { finish } = await startLoaded(directory, { clients: 1, pauseMs: PAUSE_MS, app: { apmSocket } })
      const refused = (who: string, flag: string) =>
        new RegExp(
          `did not start: cannot use .* \\(${who}, process \\d+, uses it\\); choose another with ${flag}$`,
        )
      const places = { 'log-dir': { logDir }, 'log-file': { logFile }, 'apm-socket': { apmSocket } }
      for (const [flag, place] of Object.entries(places))
        await assert.rejects(startLoggingStack(directory, { app: { ...elsewhere, ...place } }), {
          name: 'UserError',
          message: refused('(logger-transport|apm-agent)', `--${flag}`),
        })
      // Without logger-transport, the library in the app writes the file itself.
      await assert.rejects(
        startLoggingStack(directory, { composition: firstStep.composition }),
        refused('logger-transport', '--log-file'),
      )
      const { good, says } = await finish()
      checkInOrder(directory, good * LINES_PER_REQUEST)
      return `4 stacks refused in one line that names the owner; ${says}, none twice`
    },
  },
  {
    name: 'two stacks started at the same moment, and one after a SIGKILL',
    seconds: 10,
    async run(directory) {
      const both = [launchStack(directory), launchStack(directory)]
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
        const next = launchStack(directory)
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
