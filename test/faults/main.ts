import { randomInt } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { runCommand } from '../../lib/command.ts'
import { duration, integer, toggle } from '../../lib/options.ts'
import { onStopRequested } from '../../lib/stop-requested.ts'
import { formatDuration } from '../../lib/units.ts'
import { UserError } from '../../lib/user-error.ts'
import { type Fault, quickSeconds } from './fault.ts'
import { groups } from './groups.ts'
import { Status } from './status.ts'
import { tryFault } from './try-fault.ts'

/** Time to start and stop the processes of a fault. */
const OVERHEAD_SECONDS = 3
/** The interval between the starts of simultaneous faults, because a start keeps a core busy for this time. */
const START_INTERVAL_MS = 3000

await runCommand({
  usage: 'npm run faults -- [GROUP …] [options]',
  description: `Causes faults on real processes and checks the promises; one line per result.
Groups: ${Object.keys(groups).join(', ')}; all of them when none is named.`,
  options: {
    quick: toggle({ help: 'keep every fault as short as possible' }),
    tries: integer({
      min: 1,
      max: 10,
      default: '1',
      help: 'how often a fault is tried until its promise holds; each failure is printed',
    }),
    for: duration({ minMs: 1000, help: 'duration of every fault' }),
    seed: integer({
      min: 0,
      max: 1_000_000,
      help: 'seed of all random choices (default: random, and printed)',
    }),
  },
  takesWords: true,
  async run({ quick, tries, for: forMs, seed = randomInt(1_000_000) }, words) {
    const chosen = chooseFaults(words)
    const seconds = (fault: Fault) =>
      forMs === undefined ? (quick ? quickSeconds(fault) : fault.seconds) : forMs / 1000
    const waiting = chosen.filter(({ fault }) => fault.waits)
    const others = chosen.filter(({ fault }) => !fault.waits)
    const planned =
      sum(others.map(({ fault }) => seconds(fault) + OVERHEAD_SECONDS)) +
      Math.max(0, ...waiting.map(({ fault }) => seconds(fault))) +
      (waiting.length * START_INTERVAL_MS) / 1000
    process.stderr.write(
      `${chosen.length} faults, about ${formatDuration(planned * 1000)}, seed ${seed}; Ctrl-C ends them\n`,
    )
    const interrupt = new AbortController()
    onStopRequested(() => interrupt.abort())
    const failures: Chosen[] = []
    const run = async ({ group, fault }: Chosen, isAlone: boolean) => {
      const missing = fault.needs?.()
      for (let left = tries; left > 0; left--) {
        const status = new Status(`${group}: ${fault.name}`, seconds(fault) + OVERHEAD_SECONDS, isAlone)
        const outcome = missing
          ? { held: true, says: `left out: ${missing}` }
          : await tryFault(
              { group, name: fault.name, seconds: seconds(fault), seed },
              says => status.say(says),
              interrupt.signal,
            )
        status.end()
        if (interrupt.signal.aborted) process.exit(130)
        const verdict = outcome.held ? 'holds' : left > 1 ? 'again' : 'FAILS'
        process.stdout.write(`${verdict}  ${group}: ${fault.name} → ${outcome.says}\n`)
        if (outcome.held) return
      }
      failures.push({ group, fault })
    }
    await Promise.all(
      waiting.map(async (each, index) => {
        await delay(index * START_INTERVAL_MS)
        await run(each, false)
      }),
    )
    for (const each of others) await run(each, true)
    if (failures.length > 0) throw new UserError(describeFailures(failures, chosen.length, seed))
    process.exit()
  },
})

interface Chosen {
  readonly group: string
  readonly fault: Fault
}

/** Names each promise that did not hold, and the command that tries them again. */
function describeFailures(failures: readonly Chosen[], chosen: number, seed: number): string {
  const names = failures.map(({ group, fault }) => `"${group}: ${fault.name}"`)
  const failedGroups = [...new Set(failures.map(({ group }) => group))]
  return `${failures.length} of ${chosen} promises did not hold: ${names.join(', ')}; again: npm run faults -- ${failedGroups.join(' ')} --seed ${seed}`
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}

function chooseFaults(words: readonly string[]): Chosen[] {
  const known = Object.keys(groups)
  const unknown = words.find(word => !Object.hasOwn(groups, word))
  if (unknown) throw new UserError(`there is no group "${unknown}"; the groups are ${known.join(', ')}`)
  return (words.length > 0 ? words : known).flatMap(group =>
    (groups[group] as readonly Fault[]).map(fault => ({ group, fault })),
  )
}
