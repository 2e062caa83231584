import type { Results } from '../../loadtest/outcome/results.ts'
import type { Ratio } from '../../loadtest/statistics/ratio.ts'
import { compareSteps } from '../comparison.ts'
import type { readRecording } from '../recording.ts'

/** The main-thread cost of a step over that of the step before it. */
type Judgement = Pick<Ratio, 'ratio' | 'ci95' | 'verdict'>

export interface Agreement {
  /** Number and name of the step. */
  readonly step: string
  readonly stage: Judgement
  /** Undefined if the load test did not measure the step and the one before. */
  readonly loadTest: Judgement | undefined
  /** Whether one side says that the step costs less, and the other that it costs more. */
  readonly isContradiction: boolean
}

/** Holds the verdicts of a recorded tour against those of a run of the load test, from the second step on. */
export function holdAgainst(
  { setting, lines }: Pick<ReturnType<typeof readRecording>, 'setting' | 'lines'>,
  { steps: rows }: Pick<Results, 'steps'>,
): Agreement[] {
  const seconds = lines.flatMap(({ message }) => (message.kind === 'seconds' ? message.seconds : []))
  const [, ...compared] = compareSteps(
    setting.steps.map(({ number }) => number),
    seconds,
  )
  return compared.map(({ step, ratio, ci95, verdict }) => {
    const loadTest = rows.find(({ number }) => number === step)?.versusPrevious?.mainThreadMicros
    const verdicts = [verdict, loadTest?.verdict]
    return {
      step: `${step} ${setting.steps.find(({ number }) => number === step)?.name}`,
      // The stage tells how many times as much the step before costs.
      stage: { ratio: ratio && 1 / ratio, ci95: ci95 && [1 / ci95[1], 1 / ci95[0]], verdict },
      loadTest,
      isContradiction: verdicts.includes('faster') && verdicts.includes('slower'),
    }
  })
}
