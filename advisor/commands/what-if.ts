import type { Command } from '../../lib/cli/command.ts'
import { choice, duration, text } from '../../lib/cli/options.ts'
import { UserError } from '../../lib/cli/user-error.ts'
import { jsonOption } from '../output/render.ts'
import { printComparisons } from '../output/versus.ts'
import { type Comparison, compare } from '../versus/compare.ts'
import type { Usage } from '../watching/thread.ts'
import { describeSlow, slowFunction } from '../what-if/slow-function.ts'
import { abortOnStop, subjectOptions, type WatchedSubject, withWatched } from './subject.ts'

/** Two turns that follow each other: as the service is, and with the change. */
type Pair = readonly [without: Usage, withChange: Usage]

/** With and without the change by turns, for this long each time. */
const TURN_MS = 250
/** After so many milliseconds, the lines that a turn held back are written, and the spans that it left are sent. */
const SETTLE_MS = { lines: 30, spans: 200 }

/** Fewer pairs tell no interval. */
const LEAST_PAIRS = 5

const options = {
  ...subjectOptions,
  free: choice({
    choices: ['stdout', 'apm'],
    help: 'what costs nothing: "stdout" answers each write at once, and writes the lines later; "apm" calls the functions of Node.js that an instrumentation has wrapped without it, and records no span',
  }),
  slow: text({
    help: 'a function that becomes slower by a known time, by its name and place in a spectrum, such as "render src/page.js:12"',
    placeholder: 'FUNCTION',
  }),
  forMs: duration({ help: 'time to measure', default: '20s', minMs: 4000 }),
  json: jsonOption,
}

export const whatIf: Command<typeof options> = {
  usage: 'main-thread what-if (--free stdout|apm | --slow FUNCTION) [options] [-- COMMAND…]',
  description:
    'Tries in a running service what a spectrum predicts: it makes something cheaper or dearer by turns of a quarter of a second, and compares the turns. It changes no answer, and takes everything back.',
  options,
  takesWords: true,
  async run(values, words) {
    const { free, slow } = values
    if ((free === undefined) === (slow === undefined)) throw new UserError('give one of --free and --slow')
    const answer = await withWatched(values, words, abortOnStop(), async subject =>
      free
        ? await tryFree(subject, free, values.forMs)
        : await trySlow(subject, slow as string, values.forMs),
    )
    const heading = `Changed in every other turn, and as it was again: ${answer.changed.join(', ')}.`
    printComparisons(values.json, heading, answer)
  },
}

async function tryFree({ main, measure }: WatchedSubject, what: 'stdout' | 'apm', forMs: number) {
  let changed: readonly string[] = []
  const settleMs = what === 'apm' ? SETTLE_MS.spans : SETTLE_MS.lines
  const pairs = await takeTurns(measure, forMs, settleMs, async isOn => {
    if (isOn) changed = await main.call('begin', what)
    else await main.call('end')
  })
  if (changed.length === 0)
    throw new UserError('no function of Node.js is wrapped here: is there an instrumentation?')
  return { changed, comparisons: compareTurns(pairs), remarks: [] as string[] }
}

async function trySlow(subject: WatchedSubject, name: string, forMs: number) {
  const { main, measure } = subject
  const slowed = await slowFunction(subject, name)
  const pairs = await takeTurns(
    measure,
    forMs,
    SETTLE_MS.lines,
    async isOn => void (await main.call('slow', isOn ? slowed.delayMicros : 0)),
  )
  const comparisons = compareTurns(pairs)
  return { changed: [slowed.place], comparisons, ...describeSlow(slowed, comparisons) }
}

/** Measures without and with a change by turns; the one that begins changes too. */
async function takeTurns(
  measure: WatchedSubject['measure'],
  forMs: number,
  settleMs: number,
  set: (isOn: boolean) => Promise<void>,
): Promise<Pair[]> {
  const pairs: Pair[] = []
  const take = async (isOn: boolean): Promise<Usage> => {
    await set(isOn)
    await measure(settleMs)
    const usage = await measure(TURN_MS)
    if (isOn) await set(false)
    return usage
  }
  for (const endMs = performance.now() + forMs; performance.now() < endMs; ) {
    const isFirst = pairs.length % 2 === 0
    const first = await take(isFirst)
    const second = await take(!isFirst)
    pairs.push(isFirst ? [second, first] : [first, second])
  }
  return pairs
}

/** Compares turns by the statistics of `versus`. @throws UserError when too few had requests */
function compareTurns(all: readonly Pair[]): Comparison[] {
  const pairs = all.filter(pair => pair.every(({ requests, cpuMicros }) => requests > 0 && cpuMicros > 0))
  if (pairs.length < LEAST_PAIRS)
    throw new UserError(
      `only ${pairs.length} of ${all.length} pairs of turns had requests: load the service with --url, or try for longer`,
    )
  return compare(
    pairs.map(([before, after]) => ({ before: sampleOf(before), after: sampleOf(after) })),
    false,
  )
}

/** Nobody knows what a request costs its client here, so that adjusts nothing. */
const sampleOf = ({ cpuMicros, requests, wallMs }: Usage) => ({
  mainThreadMicros: cpuMicros / requests,
  responsesPerSecond: (requests / wallMs) * 1000,
  ...{ totalMicros: null, p50Ms: 0, p99Ms: 0, generatorMicros: 1, turns: [] },
})
