import type { Column } from '../../../lib/cli/columns.ts'

export interface IntakeFault {
  readonly title: string
  readonly state: 'away' | 'silent'
  readonly forMs: number
  /** Whether the service ends before the intake answers again. */
  readonly untilEnd?: true
}

export const intakeFaults = {
  short: { title: 'away for 5 s', state: 'away', forMs: 5000 },
  long: { title: 'away for 20 s', state: 'away', forMs: 20_000 },
  end: { title: 'away until the service ends', state: 'away', forMs: 5000, untilEnd: true },
  silent: { title: 'accepts and never answers', state: 'silent', forMs: 5000, untilEnd: true },
} as const satisfies Readonly<Record<string, IntakeFault>>

export type FaultName = keyof typeof intakeFaults
export const faultNames = Object.keys(intakeFaults) as FaultName[]

/** At its end a service has so much time before it is killed, in seconds. It is the default of Kubernetes. */
export const END_LIMIT_S = 30

/**
 * The share of the spans of a fault that arrive in the end, in percent, and for how many seconds at most the service waits when
 * it ends.
 */
export type Outcome = readonly [arrived: number, mostWaitS: number]

/** The test beside this folder tries each entry. */
export const spanPromises: Readonly<Record<string, Readonly<Record<FaultName, Outcome>>>> = {
  sidecar: { short: [100, 0], long: [50, 0], end: [100, 3], silent: [100, 3] },
  opentelemetry: { short: [100, 0], long: [75, 0], end: [0, 20], silent: [0, 20] },
  elastic: { short: [75, 0], long: [75, 0], end: [0, END_LIMIT_S], silent: [0, 10] },
  datadog: { short: [100, 0], long: [40, 0], end: [0, 8], silent: [0, 15] },
  newrelic: { short: [100, 0], long: [100, 0], end: [0, 0], silent: [0, END_LIMIT_S] },
  sentry: { short: [10, 0], long: [2, 0], end: [0, 0], silent: [0, 3] },
}

const words: Readonly<Record<number, string>> = { 0: 'none', 100: 'all' }

function describe([arrived, mostWaitS]: Outcome, { untilEnd }: IntakeFault): string {
  const spans = words[arrived] ?? `${arrived} %`
  return untilEnd ? `${spans}, ${mostWaitS} s` : spans
}

export const spanRows = Object.entries(spanPromises)

export const spanColumns: readonly Column<(typeof spanRows)[number]>[] = [
  { title: 'implementation', cell: ([name]) => name },
  ...faultNames.map(
    (fault): Column<(typeof spanRows)[number]> => ({
      title: intakeFaults[fault].title,
      cell: ([, outcomes]) => describe(outcomes[fault], intakeFaults[fault]),
    }),
  ),
]
