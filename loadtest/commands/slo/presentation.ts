import { type Content, type Presentation, remarks, table } from '../../declaration/presentation.ts'
import { counted, interval } from '../../outcome/format.ts'
import { isDecided, LEAST_TRIALS } from './crossing.ts'
import type { RateRatio, SloResults, SloRow } from './results.ts'

export const sloPresentation: Presentation<SloResults> = {
  heading: ({ settings }) => ({
    title: `How many requests a second keep p99 below ${settings.p99Ms} ms`,
    introduction:
      'Requests are sent on a schedule, at rates on both sides of the highest that keeps the limit: latency counts from the scheduled time.',
  }),
  answer: ({ rows, settings, noisy }) =>
    [
      ...rows.map(row => describeRow(row, settings.p99Ms)),
      ...(noisy ? ['These results are noisy.'] : []),
    ].join(' '),
  method: ({ settings: { scenario, rounds, warmupSeconds, durationSeconds, connections, arrivals } }) =>
    `Scenario \`${scenario}\`, ${rounds} blocks of ${warmupSeconds} s and ${durationSeconds} s, ${connections} connections, ${arrivals} arrivals`,
  content,
  plots: () => ['slo'],
  samples: ({ rows }) => rows.flatMap(({ samples }) => samples),
}

function content({ rows, settings }: SloResults): Content[] {
  const unclear = rows.filter(({ finding }) => finding !== 'found')
  return [
    table(`Rates at p99 ≤ ${settings.p99Ms} ms`, rows, [
      { title: 'step', cell: ({ number, name }) => `${number ?? ' '} ${name}` },
      { title: `requests/s at p99 ≤ ${settings.p99Ms} ms`, cell: describeRate },
      { title: '× first', cell: ({ versusFirst }) => (versusFirst ? describeRatio(versusFirst) : '-') },
      { title: 'verdict', cell: ({ versusFirst }) => (versusFirst ? wordFor(versusFirst) : '-') },
      { title: 'samples that hold', cell: row => String(countOf(row, 'holds')) },
      { title: 'fail', cell: row => String(countOf(row, 'fails')) },
      { title: 'generator was the limit', cell: row => String(countOf(row, 'limited') || '-') },
      { title: 'refused', cell: row => String(countOf(row, 'refused') || '-') },
    ]),
    remarks(unclear.map(row => describeRow(row, settings.p99Ms))),
  ]
}

const countOf = ({ samples }: SloRow, wanted: SloRow['samples'][number]['outcome']) =>
  samples.filter(({ outcome }) => outcome === wanted).length

function describeRate({ finding, ratePerSecond, ci95, didNotRun }: SloRow): string {
  if (didNotRun !== undefined) return 'did not run'
  if (ratePerSecond === null) return '?'
  const rate = ratePerSecond.toFixed(0)
  if (finding === 'never') return `< ${rate}`
  if (finding === 'always') return `≥ ${rate}`
  return ci95 ? `${rate} ${interval(ci95, 0)}` : rate
}

const describeRatio = ({ ratio, ci95 }: RateRatio) =>
  ci95 ? `${ratio.toFixed(2)} ${interval(ci95, 2)}` : ratio.toFixed(2)

/** `faster` is the word of results for a value that is better: here a higher rate. */
const wordFor = ({ verdict }: RateRatio) =>
  verdict === 'faster' ? 'more' : verdict === 'slower' ? 'less' : verdict

/** Says in a sentence what was found for a row, or why nothing was. */
function describeRow(row: SloRow, limitMs: number): string {
  const { name, finding, ratePerSecond, ci95, samples, didNotRun } = row
  const rate = ratePerSecond?.toFixed(0)
  const limit = `p99 ≤ ${limitMs} ms`
  if (didNotRun !== undefined) return `${name} did not run: ${didNotRun}.`
  switch (finding) {
    case 'nothing':
      return `${name}: no sample says whether ${limit} holds.`
    case 'never':
      return `${name} does not keep ${limit} at ${rate} requests a second, the lowest rate that was tried.`
    case 'always': {
      const isLimited = countOf(row, 'limited') > 0
      const above = isLimited ? 'at more, the load generator is the limit' : 'more was not tried'
      return `${name} keeps ${limit} at ${rate} requests a second; ${above}.`
    }
    case 'found': {
      const few = `${counted(samples.filter(isDecided).length, 'sample')}, too few for an interval, which needs ${LEAST_TRIALS}`
      return `${name} keeps ${limit} up to ${rate} requests a second ${ci95 ? interval(ci95, 0) : `(${few})`}.`
    }
  }
}
