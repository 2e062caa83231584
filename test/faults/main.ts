import { randomInt } from 'node:crypto'
import { lastStep, type Step } from '../../app/steps.ts'
import { onStopRequested, runCommand } from '../../lib/cli/command.ts'
import { duration, integer, text, toggle } from '../../lib/cli/options.ts'
import { UserError } from '../../lib/cli/user-error.ts'
import { formatDuration } from '../../lib/units.ts'
import { parseSteps } from '../../loadtest/sample/rows.ts'
import { type Fault, quickSeconds, total } from './fault.ts'
import { groups, leftOut } from './groups.ts'
import { tryFault } from './try-fault.ts'

/** Time to start and stop the processes of a fault. */
const OVERHEAD_SECONDS = 3

/** A fault that is to be tried at a step for some time, with the name of its group. */
interface Chosen {
  readonly step: Step
  readonly group: string
  readonly fault: Fault
  readonly seconds: number
  /** Why it is left out; undefined if it is tried. */
  readonly missing: string | undefined
}

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
        // To find out may take minutes, in which no fault could tell its progress.
        const missing = leftOut[group]?.(step) ?? fault.needs?.()
        return { step, group, fault, seconds, missing }
      }),
    )
    const alone = chosen.filter(isAlone)
    const beside = chosen.filter(each => !isAlone(each))
    const estimateMs = 1000 * (durationOf(alone) + durationOf(beside) / atOnce)
    process.stderr.write(
      `${chosen.length} faults, about ${formatDuration(estimateMs)}, seed ${seed}; Ctrl-C ends them\n`,
    )
    const interrupt = new AbortController()
    onStopRequested(() => interrupt.abort())
    const holds = (isLast: boolean) => async (one: Chosen) => {
      const { step, group, fault, seconds, missing } = one
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
    }
    const first = holds(tries === 1)
    let failed = [...(await tryAll(beside, atOnce, first)), ...(await tryAll(alone, 1, first))]
    for (let left = tries - 1; left > 0; left--) failed = await tryAll(failed, 1, holds(left === 1))
    if (failed.length > 0) throw new UserError(describeFailures(failed, chosen.length, seed))
    process.exit()
  },
})

function isAlone({ fault, seconds }: Chosen): boolean {
  return fault.alone === 'always' || (fault.alone === 'in full' && seconds >= fault.seconds)
}

function durationOf(chosen: readonly Chosen[]): number {
  return total(chosen.map(({ seconds }) => seconds + OVERHEAD_SECONDS))
}

/** Tries faults in their order, `atOnce` of them at a time. @returns those whose promises did not hold */
async function tryAll(
  chosen: readonly Chosen[],
  atOnce: number,
  holds: (one: Chosen) => Promise<boolean>,
): Promise<Chosen[]> {
  const left = chosen.values()
  const failed: Chosen[] = []
  const tryRest = async () => {
    for (const one of left) if (!(await holds(one))) failed.push(one)
  }
  await Promise.all(Array.from({ length: atOnce }, tryRest))
  return failed
}

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
