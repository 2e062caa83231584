import { join } from 'node:path'
import { concerns } from '../../app/concerns.ts'
import { appOptions } from '../../app/config.ts'
import { type Step, steps } from '../../app/steps.ts'
import { talk } from '../../loadtest/commands/cores/remarks.ts'
import { onSoManyCores, SHOWN_CORES } from '../../loadtest/commands/cores/rows.ts'
import { readEnvironment } from '../../loadtest/outcome/environment.ts'
import { readResults } from '../../loadtest/outcome/results-file.ts'
import { sliceColors } from '../../loadtest/report/palette.ts'
import type { Slice } from '../../loadtest/spectrum/spectrum.ts'
import type { MoreCores, StageSetting, StageStep } from '../../screen/stage-messages.ts'
import { steadyScenarios } from '../../stack/scenarios.ts'

/** The published run whose spectrum the stage shows, because a profiler would change what it shows live. */
const SPECTRUM = join(import.meta.dirname, '../../docs/results/ladder.json')
/** The published run of each step on more cores, in slow motion. */
const MORE_CORES = join(import.meta.dirname, '../../docs/results/cores.json')

/** Describes the steps, the machine and the load. */
export function describeSetting(load: string, rate: number | null): StageSetting {
  const published = readResults(SPECTRUM)
  const { cpu, cores, node, commit, date } = readEnvironment()
  return {
    steps: describeSteps(published),
    scenarios: steadyScenarios,
    load,
    rate,
    spectrumDate: published.environment.date.slice(0, 10),
    moreCores: describeMoreCores(),
    overloads: appOptions.overload.choices,
    machine: `${cpu}, ${cores} cores, Node.js ${node}`,
    commit,
    date,
    isReplay: false,
  }
}

/** The steps, with their spectrum of the published run. */
export const describeSteps = (published = readResults(SPECTRUM)): StageStep[] =>
  steps.map((step, index) => ({
    number: step.number,
    name: step.name,
    move: moveOf(steps[index - 1], step),
    spectrum: spectrumOf(published.steps.find(({ name }) => name === step.name)?.spectrum),
  }))

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

interface Spectrum {
  readonly cpuMicros: number
  readonly shares: Readonly<Record<string, number>> | null
}

const spectrumOf = (spectrum: Partial<Spectrum> | null | undefined): StageStep['spectrum'] =>
  Object.entries(spectrum?.shares ?? {})
    .map(([slice, share]) => ({
      slice,
      micros: Math.round(share * (spectrum?.cpuMicros ?? 0)),
      color: sliceColors[slice as Slice].fill,
    }))
    .filter(({ micros }) => micros > 0)
