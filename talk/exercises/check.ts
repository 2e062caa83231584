import { wrap } from '../../lib/cli/wrap.ts'
import { afterRunning } from '../../lib/os/running-time.ts'
import type { Point } from './exercise.ts'

/** After this time a point is given up: the learner's code does not answer. */
const LIMIT_MS = 5000
const COLUMNS = 100

export interface Outcome extends Pick<Point, 'expects' | 'look'> {
  /** The finding that differs from the expectation, in a sentence; undefined if the expectation is met. */
  readonly seen: string | undefined
}

/** Looks at one point after the other. It never throws because of the learner's code, not even of code that goes on later. */
export async function* check(points: readonly Point[]): AsyncGenerator<Outcome> {
  let fail = (_error: unknown) => {}
  const onStray = (error: unknown) => fail(error)
  process.on('uncaughtException', onStray)
  try {
    for (const { expects, look, see, limitMs = LIMIT_MS } of points) {
      const { promise: hopeless, resolve: giveUp } = Promise.withResolvers<string>()
      fail = error => giveUp(describeError(error))
      const cancel = afterRunning(limitMs, () => giveUp(`there is no answer within ${limitMs / 1000} s`))
      const seen = await Promise.race([see().catch(describeError), hopeless])
      cancel()
      yield { expects, look, seen }
    }
  } finally {
    process.off('uncaughtException', onStray)
  }
}

/** Shows an outcome as lines for a terminal. */
export const renderOutcome = ({ expects, look, seen }: Outcome): string =>
  seen === undefined
    ? indent('  ok      ', expects)
    : [indent('  not yet ', expects), indent('    seen  ', seen), indent('    look  ', look)].join('\n')

const indent = (label: string, text: string): string =>
  wrap(text, COLUMNS - label.length)
    .map((line, index) => (index === 0 ? label : ' '.repeat(label.length)) + line)
    .join('\n')

/** The error in one line, with the place where it was thrown. */
function describeError(error: unknown): string {
  if (!(error instanceof Error)) return `it threw ${String(error)}`
  const place = /\(?(?:file:\/\/)?(\/[^()]*:\d+):\d+\)?$/m.exec(error.stack ?? '')?.[1]
  return `${error.name}: ${error.message}${place ? `, thrown at ${place}` : ''}`
}
