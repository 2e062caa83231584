import { randomInt } from 'node:crypto'
import { lastStep } from '../../app/steps.ts'
import { onStopRequested, runCommand } from '../../lib/cli/command.ts'
import { duration, integer, text, toggle } from '../../lib/cli/options.ts'
import { UserError } from '../../lib/cli/user-error.ts'
import { formatDuration } from '../../lib/units.ts'
import { parseSteps } from '../../loadtest/sample/rows.ts'
import { type Fault, quickSeconds } from './fault.ts'
import { groups, leftOut } from './groups.ts'
import { type Chosen, Schedule } from './schedule.ts'
import { tryFault } from './try-fault.ts'

await runCommand({
  usage: 'npm run test:faults -- [GROUP …] [options]',
  description: `Causes faults on real processes and checks the promises; one line per result.
Groups: ${Object.keys(groups).join(', ')}; all of them when none is named.`,
  options: {
    quick: toggle({ help: 'keep every fault as short as possible' }),
    atOnce: integer({
      min: 1,
      max: 8,
      default: '1',
      help: 'number of faults that run at the same time, except those about speed',
    }),
    tries: integer({
      min: 1,
      max: 10,
      default: '1',
      help: 'how often a fault is tried until its promise holds, from the second time alone; each failure is printed',
    }),
    steps: text({
      placeholder: 'LIST',
      default: lastStep.name,
      help: 'steps of the service that meets the faults, such as 4-7; those below 4 have no logger-transport',
    }),
    for: duration({ minMs: 1000, help: 'duration of every fault' }),
    seed: integer({
      min: 0,
      max: 1_000_000,
      help: 'seed of all random choices (default: random, and printed)',
    }),
  },
  takesWords: true,
  async run({ quick, atOnce, tries, steps, for: forMs, seed = randomInt(1_000_000) }, words) {
    const secondsOf = (fault: Fault) => (quick ? quickSeconds(fault) : fault.seconds)
    const chosen = parseSteps(steps).flatMap(step =>
      chooseFaults(words).map(({ group, fault }) => {
        const seconds = forMs === undefined ? secondsOf(fault) : forMs / 1000
        return { step, group, fault, seconds }
      }),
    )
    const schedule = new Schedule(chosen, atOnce)
    process.stderr.write(
      `${chosen.length} faults, about ${formatDuration(schedule.seconds * 1000)}, seed ${seed}; Ctrl-C ends them\n`,
    )
    const interrupt = new AbortController()
    onStopRequested(() => interrupt.abort())
    const failures = await schedule.run(tries, async (one, isLast) => {
      const { step, group, fault, seconds } = one
      const missing = leftOut[group]?.(step) ?? fault.needs?.()
      const title = titleOf(one)
      const startedAtMs = performance.now()
      const { held, says } = missing
        ? { held: true, says: `left out: ${missing}` }
        : await tryFault(
            { step: step.name, group, name: fault.name, seconds, seed },
            says => process.stderr.write(`       ${title}: ${says}\n`),
            interrupt.signal,
          )
      const took = formatDuration(performance.now() - startedAtMs)
      if (interrupt.signal.aborted) process.exit(130)
      const verdict = held ? 'holds' : isLast ? 'FAILS' : 'again'
      process.stdout.write(`${verdict}  ${title} (${took}) → ${says}\n`)
      return held
    })
    if (failures.length > 0) throw new UserError(describeFailures(failures, chosen.length, seed))
    process.exit()
  },
})

/** Names each promise that did not hold, and the command that tries them again. */
function describeFailures(failures: readonly Chosen[], chosen: number, seed: number): string {
  const names = failures.map(each => `"${titleOf(each)}"`)
  const failedSteps = [...new Set(failures.map(({ step }) => step.number))]
  const failedGroups = [...new Set(failures.map(({ group }) => group))]
  return `${failures.length} of ${chosen} promises did not hold: ${names.join(', ')}; again: npm run test:faults -- ${failedGroups.join(' ')} --steps ${failedSteps} --seed ${seed}`
}

function titleOf({ step, group, fault }: Chosen): string {
  return `${step === lastStep ? '' : `step ${step.number}, `}${group}: ${fault.name}`
}

function chooseFaults(words: readonly string[]) {
  const known = Object.keys(groups)
  const unknown = words.find(word => !Object.hasOwn(groups, word))
  if (unknown) throw new UserError(`there is no group "${unknown}"; the groups are ${known.join(', ')}`)
  return (words.length > 0 ? words : known).flatMap(group =>
    (groups[group] as readonly Fault[]).map(fault => ({ group, fault })),
  )
}
