import { record } from '../lib/record.ts'
import type { Figure } from '../lib/telemetry/prometheus.ts'

/** What becomes of a line, for the ledger. */
export const lineCounts = ['delivered', 'dropped', 'rejected'] as const
export type LineCounts = Record<(typeof lineCounts)[number], number>
export const noLines = (): LineCounts => record(lineCounts, () => 0)

/** What is counted of a target. */
export interface TargetCounts {
  /** Includes lines of earlier transports on this directory. */
  readonly lines: LineCounts
  /** Lines that were read from segments or the pipe. */
  read: number
  /** Lines that are no JSON object, and are delivered as text. */
  malformed: number
  /** Deliveries that failed and were tried again. */
  retries: number
}

/** What the transport counts of itself. */
export class Metrics {
  /** Files that could not be read and were set aside. */
  quarantined = 0
  /** Measures the bytes in segments that wait for each target, by its name. */
  readLags: () => Promise<ReadonlyMap<string, number>> = async () => new Map()
  readonly #targets = new Map<string, TargetCounts>()

  /** Begins to count for a target. */
  add(target: string, lines = noLines()): TargetCounts {
    const counts = { lines, read: 0, malformed: 0, retries: 0 }
    this.#targets.set(target, counts)
    return counts
  }

  /**
   * Counts lines for the ledger. A line is delivered when every target has it, and dropped or rejected when one target
   * never gets it. So `delivered` is the smallest number of lines that any target has; `dropped` and `rejected` are those
   * of the target that lacks most lines. When no line waits any more, all three numbers belong to the same target and add
   * up to the lines that were written.
   */
  countLines(): LineCounts {
    const counts = [...this.#targets.values()].map(({ lines }) => lines)
    const [most = noLines()] = counts.toSorted((a, b) => b.dropped + b.rejected - a.dropped - a.rejected)
    return { ...most, delivered: Math.min(...counts.map(({ delivered }) => delivered)) }
  }

  /** The counts as the transport serves them at /metrics. */
  async figures(): Promise<Figure[]> {
    const lags = [...(await this.readLags())]
    const figure = (name: string, help: string, values: Figure['values']): Figure => ({
      name: `logger_transport_${name}`,
      help,
      values,
    })
    return [
      ...ofTargets.map(([name, help, read]) => {
        const values = [...this.#targets].map(([target, counts]) => [{ target }, read(counts)] as const)
        return figure(name, help, values)
      }),
      figure('files_quarantined_total', 'Files that could not be read and were set aside', [
        [{}, this.quarantined],
      ]),
      figure(
        'lag_bytes',
        'Bytes in segments that are not yet delivered',
        lags.map(([target, bytes]) => [{ target }, bytes]),
      ),
    ]
  }
}

const BEFORE = 'includes those of earlier transports on this directory'

const ofTargets: readonly (readonly [name: string, help: string, read: (counts: TargetCounts) => number])[] =
  [
    ['lines_read_total', 'Lines read from segments or the pipe', ({ read }) => read],
    [
      'lines_delivered_total',
      `Lines that the target has received; ${BEFORE}`,
      ({ lines }) => lines.delivered,
    ],
    [
      'lines_dropped_total',
      `Lines that the target never gets, because too many waited or someone removed them; ${BEFORE}`,
      ({ lines }) => lines.dropped,
    ],
    [
      'lines_rejected_total',
      `Lines that the target refused for good, kept in a dead-letter file; ${BEFORE}`,
      ({ lines }) => lines.rejected,
    ],
    ['lines_malformed_total', 'Lines that are no JSON object, delivered as text', each => each.malformed],
    ['delivery_retries_total', 'Deliveries that failed and were tried again', ({ retries }) => retries],
  ]
