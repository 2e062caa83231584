import { UserError } from '../../lib/cli/user-error.ts'
import { namesOfConcerns } from '../concerns/concerns.ts'
import { readGivenJson } from '../given-file.ts'
import { percent } from '../output/tables.ts'
import { RUNTIME } from '../spectrum/parts.ts'
import type { Report } from '../spectrum/report.ts'
import { byConcern, LEAST_COVERAGE, type ThreadSpectrum } from '../spectrum/spectrum.ts'

/** The most that a concern may take: a share of the main thread, CPU time for each request, or growth of that. */
export interface Limit {
  readonly concern: string
  readonly of: 'share' | 'micros' | 'growth'
  readonly most: number
}

/** The figures that limits are compared with. */
export type Judged = Pick<Report, 'requests' | 'unit'> & {
  readonly main: Pick<ThreadSpectrum, 'cpuMs' | 'coverage' | 'shares'>
}

/** The name of all concerns together, for limits of time. */
const WHOLE = 'request'
const LIMIT = /^([^=;]+)=(?:(\d+(?:\.\d+)?)%|(\d+(?:\.\d+)?)[uµ]s|\+(\d+(?:\.\d+)?)%)$/

/** Reads limits such as `logging=20%,apm=35us,request=+10%`; undefined if the text is no such list. */
export function parseLimits(text: string): Limit[] | undefined {
  const limits = text.split(',').map((each): Limit | undefined => {
    const [matched, concern = '', share, micros, growth] = LIMIT.exec(each.trim()) ?? []
    if (!matched) return undefined
    if (micros !== undefined) return { concern, of: 'micros', most: Number(micros) }
    return growth === undefined
      ? { concern, of: 'share', most: Number(share) / 100 }
      : { concern, of: 'growth', most: 1 + Number(growth) / 100 }
  })
  return limits.every(limit => limit !== undefined) ? limits : undefined
}

/** @throws UserError when there is no such concern, so that its limit would never be exceeded, or no stored run to compare with */
export function assertKnown(limits: readonly Limit[], table?: string, hasStored = false): void {
  const known = namesOfConcerns(table).add(RUNTIME.concern)
  const unknown = limits.find(
    ({ concern, of }) => !known.has(concern) && !(concern === WHOLE && of !== 'share'),
  )
  if (unknown) {
    throw new UserError(
      `--fail-over: there is no concern "${unknown.concern}"; the concerns are ${[...known].join(', ')}`,
    )
  }
  if (!hasStored && limits.some(({ of }) => of === 'growth'))
    throw new UserError(
      '--fail-over with a limit such as +10% needs --against, the answer of an earlier --json',
    )
}

/** @throws UserError when the file is not what `--json` has written, with a count of requests */
export function readStored(file: string): Judged {
  const stored = readGivenJson('--against', file) as Partial<Report> | null
  const isRun = Number(stored?.requests) > 0 && Number(stored?.main?.cpuMs) > 0
  if (isRun && Array.isArray(stored?.main?.shares)) return stored as Report
  throw new UserError(`--against: ${file} is no answer of --json that has requests`)
}

/**
 * @returns a sentence for each limit that is exceeded
 * @throws UserError when the profile missed too much to tell, or there are no requests for a limit of time
 */
export function exceeded(report: Judged, limits: readonly Limit[], stored?: Judged): string[] {
  const { cpuMs, coverage } = report.main
  if (cpuMs !== null && (coverage ?? 0) < LEAST_COVERAGE) {
    const found = coverage === null ? 'has too few samples to know it' : `has ${percent(coverage)}`
    throw new UserError(
      `--fail-over needs a coverage of ${percent(LEAST_COVERAGE)}, and the profile ${found}: give the machine more idle cores, or watch for longer with --for`,
    )
  }
  return limits.flatMap(({ concern, of, most }) => {
    if (of === 'share') {
      const share = shareOf(report, concern)
      if (share <= most) return []
      return `${concern} takes ${percent(share)} of the main thread, more than ${percent(most)}`
    }
    const micros = microsOf(report, concern)
    const allowed = of === 'micros' ? most : most * microsOf(stored as Judged, concern)
    if (micros <= allowed) return []
    const than = of === 'micros' ? '' : `, which is +${((most - 1) * 100).toFixed(0)} % of the stored run`
    return `${concern} takes ${micros.toFixed(1)} µs of the main thread for each ${report.unit}, more than ${allowed.toFixed(1)} µs${than}`
  })
}

function shareOf({ main }: Judged, concern: string): number {
  if (concern === WHOLE) return 1
  const found = byConcern(main).find(each => each.concern === concern)
  return found ? found.share + found.gcShare : 0
}

function microsOf(report: Judged, concern: string): number {
  const { main, requests } = report
  if (!requests || main.cpuMs === null)
    throw new UserError(
      '--fail-over with a limit of time needs requests: load the service with --url or --load-with',
    )
  return (shareOf(report, concern) * main.cpuMs * 1000) / requests
}
