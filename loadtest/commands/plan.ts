import { toFlags } from '../../lib/command-line.ts'
import { duration, integer, integers, text, toggle, type Values } from '../../lib/options.ts'
import { UserError } from '../../lib/user-error.ts'
import type { LoadTestCommand } from '../declaration/command.ts'
import { printRun } from '../declaration/print-run.ts'
import { warnOfNoise } from '../declaration/warn-of-noise.ts'
import { connections } from '../generator/steady-options.ts'
import { requireProc } from '../idle/threads.ts'
import { samplingOptions } from '../options.ts'
import { resultsFile } from '../outcome/results-file.ts'
import { LADDER_CORES } from '../plan/ladder.ts'
import { makePlan } from '../plan/make-plan.ts'
import { planPresentation as presentation } from '../plan/presentation.ts'
import type { PlanSettings } from '../plan/results.ts'
import type { Wanted } from '../plan/sizing.ts'
import { requireBoth } from '../plan/words.ts'
import { abortWhenAsked } from '../run/abort.ts'
import { drawSeed } from '../settings-from.ts'
import { calibrateFor, findBegun, findSource } from './plan-source.ts'

const { seed, acceptNoise, json, slides } = samplingOptions

const options = {
  from: text({
    placeholder: 'FILE',
    help: 'the run that the model is made of (default: the newest run that has the CPU time of all threads)',
  }),
  measure: toggle({ help: 'measure what the model needs first, in about 15 minutes' }),
  cores: integers({
    min: 1,
    max: 1024,
    default: LADDER_CORES.join(),
    help: 'numbers of cores for which every step is predicted',
  }),
  connections: { ...connections, help: 'clients of the closed loop that is predicted' },
  apart: integer({
    min: 1,
    max: 1024,
    help: 'give clients and upstream this many cores of their own (default: they share those of the app)',
  }),
  rate: integer({
    min: 1,
    max: 100_000_000,
    help: 'with --p99: find the fewest cores for this many requests a second',
  }),
  p99Ms: duration({ minMs: 1, help: 'with --rate: the p99 that the requests may have' }),
  validate: toggle({
    help: 'measure every kind of cell (steps, cores, loads) and compare; about 50 minutes a block',
  }),
  rounds: integer({ min: 1, max: 100, default: '1', help: 'with --validate: measure this many blocks' }),
  resume: text({
    placeholder: 'FILE',
    help: 'go on with an interrupted validation, with its run, seed, blocks and samples',
  }),
  seed: { ...seed, help: 'seed of the arrivals of requests (default: drawn at random, and printed)' },
  acceptNoise,
  slides,
  json,
} as const

/** Predicts every step on more cores, and the size of a service for a rate. */
export const plan: LoadTestCommand<typeof options> = {
  usage: 'npm run loadtest -- plan [options]',
  description: `Says what more cores would do: simulates the stack of every step on 1 to 64 cores, with the costs that a run has measured,
and finds the fewest cores for a rate. All of this is a model; --validate compares it with measurements.`,
  options,
  presentation,
  async run(values, _words, report) {
    requireBoth(values.rate, values.p99Ms)
    if ([values.from, values.measure, values.resume].filter(Boolean).length > 1)
      throw new UserError('--from, --measure and --resume exclude each other; give one')
    if (values.measure || values.validate) requireProc('plan')
    const abort = abortWhenAsked()
    const begun = values.resume === undefined ? null : findBegun(values.resume)
    const chosen = { ...values, ...begun?.options, seed: begun?.options.seed ?? values.seed ?? drawSeed() }
    const source = values.measure ? await calibrateFor(chosen, abort) : await findSource(chosen, abort)
    const results = await makePlan(
      source,
      {
        ...chosen,
        earlier: begun?.earlier ?? [],
        settings: settingsOf(chosen),
        wanted: wantedOf(chosen),
      },
      abort,
    )
    if (abort.aborted) throw new UserError(`interrupted; go on with --resume ${resultsFile(results)}`)
    printRun(results, presentation, values.json)
    await report(results, values.slides)
    warnOfNoise(presentation.samples(results))
  },
}

type Chosen = Values<typeof options> & { readonly seed: number }

const settingsOf = ({ json, slides, resume, ...chosen }: Chosen): PlanSettings => ({
  command: 'plan',
  arguments: toFlags(chosen),
  rounds: chosen.rounds,
  seed: chosen.seed,
  connections: chosen.connections,
  apart: chosen.apart ?? null,
})

const wantedOf = ({ rate, p99Ms, seed }: Chosen): Wanted | null =>
  rate === undefined || p99Ms === undefined ? null : { ratePerSecond: rate, p99Ms, seed }
