import { relative } from 'node:path'
import { readEnvironment } from '../outcome/environment.ts'
import { isNoisy } from '../outcome/noisy.ts'
import { resultsFile, saveResults } from '../outcome/results-file.ts'
import { takeSample } from '../sample/take-sample.ts'
import { toCells } from './cells.ts'
import { findValidation, type Source } from './find-source.ts'
import { fitModel } from './fit-model.ts'
import { predictLadder } from './ladder.ts'
import type { Model } from './model.ts'
import { createReporter } from './progress.ts'
import type { PlanResults, PlanSettings, SizedRow, ValidationSample } from './results.ts'
import { sizeStep, type Wanted } from './sizing.ts'
import { validate } from './validate.ts'
import { MOST_CONNECTIONS, VALIDATED_STEPS } from './validation-cells.ts'

export interface PlanOptions {
  readonly settings: PlanSettings
  readonly cores: readonly number[]
  /** The rate to find the fewest cores for; null if there is none. */
  readonly wanted: Wanted | null
  readonly validate: boolean
  /** The samples of an interrupted validation that goes on. */
  readonly earlier: readonly ValidationSample[]
  readonly acceptNoise: boolean
}

/** Everything that a plan does outside of its own memory; tests put their own in its place. */
interface PlanInstruments {
  readonly save?: (results: PlanResults) => void
  readonly take?: typeof takeSample
}

/**
 * Makes the model of a run, validates it if asked to, predicts with it, and saves the results.
 * @returns the results so far when `abort` is aborted
 */
export async function makePlan(
  source: Source,
  options: PlanOptions,
  abort: AbortSignal,
  { save = saveResults, take = takeSample }: PlanInstruments = {},
): Promise<PlanResults> {
  const { settings, cores, wanted } = options
  process.stderr.write(
    `the model is made of ${relative('.', source.file)}; arrivals from seed ${settings.seed}\n`,
  )
  const model = fitModel(source.input)
  let results = emptyResults(source, model, settings)
  const add = (found: Partial<PlanResults>) => {
    results = { ...results, ...found }
    save(results)
  }
  if (options.validate) {
    add({})
    process.stderr.write(`results go to ${resultsFile(results)}\n`)
    try {
      await validate({
        ...whatToValidate(model, source, options),
        blocks: settings.rounds,
        earlier: options.earlier,
        abort,
        take,
        save: validation => add({ validation, noisy: results.noisy || validation.some(isNoisy) }),
      })
    } catch (error) {
      if (!abort.aborted) throw error
      return results
    }
  }
  const validated = results.validation ? toCells(results.validation) : findValidation(source.input.scenario)
  const report = createReporter(model.steps.length)
  for (const step of model.steps) {
    report(step.name)
    const rows = predictLadder(model, step, { ...settings, cores, validated })
    const sized: SizedRow[] = wanted ? [sizeStep(model, step, wanted, validated)] : []
    results = {
      ...results,
      ladder: [...results.ladder, ...rows],
      sizing: wanted && { ...wanted, rows: [...(results.sizing?.rows ?? []), ...sized] },
    }
  }
  add({ partial: false })
  return results
}

const emptyResults = (
  { file, results, input }: Source,
  { fitted }: Model,
  settings: PlanSettings,
): PlanResults => ({
  schemaVersion: 1,
  kind: 'plan',
  partial: true,
  noisy: results.noisy === true,
  environment: readEnvironment(),
  settings,
  source: {
    file: relative('.', file),
    date: results.environment.date,
    commit: results.environment.commit,
    cpu: results.environment.cpu,
    cores: input.cores,
    scenario: input.scenario,
    noisy: results.noisy === true,
  },
  fitted,
  ladder: [],
  sizing: null,
  validation: null,
})

/**
 * The window of a closed loop; that of an open loop is twice as long. Of 48 pairs of such windows, 38 had a p99 within 25 % of
 * each other. With 4 s, it was 38 of 60 pairs.
 */
const WINDOW_SECONDS = 20

/** The rows to validate, and the settings of their samples: the load and the warm-up of the run. */
function whatToValidate(
  { steps }: Model,
  { results }: Source,
  { settings: { seed }, acceptNoise }: PlanOptions,
): Pick<Parameters<typeof validate>[0], 'rows' | 'settings'> {
  const { scenario, threads, arrivals, warmupSeconds } = results.settings
  const all = steps.map(({ number, name, composition }) => ({ number, name, composition }))
  const chosen = all.filter(({ number }) => number !== null && VALIDATED_STEPS.includes(number))
  return {
    rows: chosen.length > 0 ? chosen : all,
    settings: {
      ...{ scenario, threads, arrivals, warmupSeconds, seed, beside: null, acceptNoise },
      ...{ connections: MOST_CONNECTIONS, durationSeconds: WINDOW_SECONDS },
    },
  }
}
