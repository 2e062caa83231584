import { join } from 'node:path'
import { concerns } from '../../app/concerns.ts'
import { appOptions } from '../../app/config.ts'
import { type Step, steps } from '../../app/steps.ts'
import { talk } from '../../loadtest/commands/cores/presentation.ts'
import { onSoManyCores, SHOWN_CORES } from '../../loadtest/commands/cores/rows.ts'
import { readEnvironment } from '../../loadtest/outcome/environment.ts'
import type { Results } from '../../loadtest/outcome/results.ts'
import { readResults } from '../../loadtest/outcome/results-file.ts'
import { sliceColors } from '../../loadtest/report/palette.ts'
import type { Slice } from '../../loadtest/spectrum/spectrum.ts'
import type { MoreCores, Spectrum, StageSetting, StageStep } from '../../screen/stage-messages.ts'
import { steadyScenarios } from '../../stack/stack-options.ts'

/** The published runs whose spectra the stage shows, by scenario, because a profiler would change what it shows live. */
const SPECTRA = {
  demo: join(import.meta.dirname, '../../docs/results/ladder.json'),
  page: join(import.meta.dirname, '../../docs/results/page.json'),
}
/** The published run of each step on more cores, in slow motion. */
const MORE_CORES = join(import.meta.dirname, '../../docs/results/cores.json')

/** Describes the steps, the machine and the load. */
export function describeSetting(load: string, rate: number | null): StageSetting {
  const { cpu, cores, node, date } = readEnvironment()
  return {
    steps: describeSteps(),
    scenarios: steadyScenarios,
    load,
    rate,
    moreCores: describeMoreCores(),
    overloads: appOptions.overload.choices,
    machine: `${cpu}, ${cores} cores, Node.js ${node}`,
    date,
    isReplay: false,
  }
}

/** The steps, with their spectra of the published runs. */
export function describeSteps(): StageStep[] {
  const published = Object.entries(SPECTRA).map(([scenario, file]) => [scenario, readResults(file)] as const)
  return steps.map((step, index) => ({
    number: step.number,
    name: step.name,
    move: moveOf(steps[index - 1], step),
    spectra: Object.fromEntries(
      published.flatMap(([scenario, results]) => {
        const spectrum = spectrumOf(step, results)
        return spectrum ? [[scenario, spectrum]] : []
      }),
    ),
  }))
}

function spectrumOf({ name }: Step, { steps, environment }: Results): Spectrum | undefined {
  const row = steps.find(each => each.name === name)
  const costMicros = row?.mainThreadMicros.median
  const shares = Object.entries(row?.spectrum?.shares ?? {}).filter(([, share]) => share > 0)
  const whole = shares.reduce((sum, [, share]) => sum + share, 0)
  if (!costMicros || whole === 0) return undefined
  return {
    date: environment.date.slice(0, 10),
    costMicros,
    // A profile misses some of the time, or counts a little of it twice.
    slices: shares.map(([slice, share]) => ({
      slice,
      share: share / whole,
      color: sliceColors[slice as Slice].fill,
    })),
  }
}

function describeMoreCores(): MoreCores {
  const { steps, environment } = readResults(MORE_CORES)
  const rows = onSoManyCores(steps)
  const goodputOf = (row: (typeof rows)[number] | undefined) => row?.goodput.median ?? 0
  return {
    cores: SHOWN_CORES,
    date: environment.date.slice(0, 10),
    steps: rows.flatMap(row => {
      const goodput = goodputOf(row)
      return row.number === null ? [] : { number: row.number, goodput, times: goodput / goodputOf(rows[0]) }
    }),
    talk: talk.map(rate => rate / talk[0]),
  }
}

function moveOf(before: Step | undefined, step: Step): StageStep['move'] {
  const concern = concerns.find(each => before && before.composition[each] !== step.composition[each])
  return before && concern
    ? { concern, from: before.composition[concern], to: step.composition[concern] }
    : null
}
