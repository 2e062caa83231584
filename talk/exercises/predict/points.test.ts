import type { Concern } from '../../../app/concerns.ts'
import { stepNames } from '../../../app/steps.ts'
import { expectPoints } from '../point.fixture.ts'
import { predictions } from './predictions.ts'
import { goodputOf, intervalOf, shareOf, workerMicrosOf } from './published.ts'

const FILE = 'talk/exercises/predict/predictions.ts'
/** Half of the last digit of a ratio with two decimals. */
const ROUNDING = 0.005
/** A prediction this near to a known mistake is that mistake. */
const NEAR = 0.03

interface Question {
  readonly key: Exclude<keyof typeof predictions, 'next'>
  readonly expects: string
  /** The interval of the ratio that was measured. */
  readonly measured: readonly [number, number]
  /** The ratio by the model that the exercise teaches. */
  readonly model: number
  /** Ratios that come from a known mistake, each with what it overlooks. */
  readonly mistakes: readonly (readonly [ratio: number, overlooks: string])[]
  readonly look: string
}

/** Accepts all ratios from the measured interval to the model, which may lie outside of it. */
function seeRatio({ key, measured, model, mistakes }: Question): string | undefined {
  const predicted = predictions[key]
  if (Number.isNaN(predicted)) return 'there is no prediction yet'
  const [low, high] = [Math.min(...measured, model) - ROUNDING, Math.max(...measured, model) + ROUNDING]
  if (predicted >= low && predicted <= high) return undefined
  const [, overlooks] = mistakes.find(([ratio]) => Math.abs(predicted - ratio) <= NEAR) ?? []
  return `${predicted.toFixed(2)} is too ${predicted < low ? 'low' : 'high'}${overlooks ? `: ${overlooks}` : ''}`
}

const computeShare = shareOf('monolith', 'compute')
const apmShare = shareOf('logging', 'apm')

const questions: readonly Question[] = [
  {
    key: 'costWithoutCompute',
    expects:
      'the main-thread cost at step 1, as a ratio to step 0, lies between what was measured and the limit by Amdahl',
    measured: intervalOf('compute', 'mainThreadMicros'),
    model: 1 - computeShare,
    mistakes: [[computeShare, 'this is the share that leaves, and the ratio is what stays']],
    look: `${FILE}: the share of compute at step 0`,
  },
  {
    key: 'goodputWithoutCompute',
    expects:
      'goodput at step 1, as a ratio to step 0, lies between what was measured and what one worker can do',
    measured: intervalOf('compute', 'goodput'),
    model: 1_000_000 / (workerMicrosOf('compute') as number) / goodputOf('monolith'),
    mistakes: [
      [
        1 / (1 - computeShare),
        'the tasks have moved, and did not become cheaper; a worker is busy with them now',
      ],
      [2, 'two cores are not two times the work: the tasks still run one after the other, in one worker'],
    ],
    look: `${FILE}: the CPU time of the worker for a response, at step 1`,
  },
  {
    key: 'costWithoutApm',
    expects:
      'the main-thread cost at step 5, as a ratio to step 4, lies between what was measured and the limit by Amdahl',
    measured: intervalOf('apm', 'mainThreadMicros'),
    model: 1 - apmShare,
    mistakes: [
      [apmShare, 'this is the share that leaves, and the ratio is what stays'],
      [
        1 - shareOf('monolith', 'apm'),
        'this is by the share at step 0; of the smaller cost at step 4 apm is a larger part',
      ],
    ],
    look: `${FILE}: the share of apm at step 4`,
  },
  {
    key: 'costWithoutRendering',
    expects: 'the main-thread cost of /demo at step 6, as a ratio to step 5, lies within what was measured',
    measured: intervalOf('rendering', 'mainThreadMicros'),
    model: 1 - shareOf('apm', 'rendering'),
    mistakes: [],
    look: `${FILE}: the share of rendering at step 5; which page does /demo render?`,
  },
]

const concernsLeft: readonly Concern[] = ['serialization', 'framework', 'logging', 'apm', 'rendering']
const largest = concernsLeft.reduce((most, each) =>
  shareOf('compute', each) > shareOf('compute', most) ? each : most,
)

expectPoints([
  ...questions.map(question => ({ ...question, see: async () => seeRatio(question) })),
  {
    expects: `\`next\` is the concern that is worth most after step ${stepNames.indexOf('compute')}`,
    look: `${FILE}: the row of step 1; http and gc are no concerns`,
    async see() {
      const { next } = predictions
      if (next === largest) return undefined
      return next === '' ? 'there is no prediction yet' : `${next} is not the largest share that can leave`
    },
  },
])
