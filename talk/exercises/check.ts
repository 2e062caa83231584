import { setTimeout as delay } from 'node:timers/promises'
import { wrap } from '../../lib/cli/wrap.ts'
import type { Point } from './exercise.ts'

/** After this time a point is given up: the learner's code does not answer. */
const HOPELESS_MS = 60_000
const COLUMNS = 100

export interface Outcome extends Pick<Point, 'expects' | 'look'> {
  /** The finding that differs from the expectation, in a sentence; undefined if the expectation is met. */
  readonly seen: string | undefined
}

/** Looks at one point after the other. It never throws because of the learner's code. */
export async function* check(points: readonly Point[]): AsyncGenerator<Outcome> {
  for (const { expects, look, see } of points) {
    const over = new AbortController()
    const hopeless = delay(HOPELESS_MS, `there is no answer within ${HOPELESS_MS / 1000} s`, over)
    const seen = await Promise.race([see().catch(describeError), hopeless.catch(() => undefined)])
    over.abort()
    yield { expects, look, seen }
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
