import type { Column } from '../../lib/cli/columns.ts'
import { percent as formatPercent } from '../../lib/units.ts'
import type { Advice } from '../advice/advise.ts'
import type { Report } from '../spectrum/report.ts'
import { byConcern, type Share, type ThreadSpectrum } from '../spectrum/spectrum.ts'

/** Owners with less are added up. */
const LEAST_OWNER = 0.01
const MOST_OWNERS = 4
/** Owners with more name their functions. */
const LEAST_NAMING = 0.05
/** Lines with less are left out, because they would say 0.0 %. */
const LEAST_LINE = 0.0005

/** A row of the table of a spectrum. */
type Line = ReturnType<typeof linesOf>[number]

/** The lines of a thread: each concern, and the owners in it; then all that belongs to no concern. */
export function linesOf(thread: ThreadSpectrum) {
  const concerns = byConcern(thread).flatMap(
    ({ concern, share, gcShare, allocatedShare, margin, owners }) => [
      { name: concern, share, gcShare, allocatedShare, margin },
      ...owners
        .filter(owner => owner.share + owner.gcShare >= LEAST_OWNER)
        .slice(0, MOST_OWNERS)
        .flatMap(owner => [
          ...(owner.owner === concern ? [] : [{ ...owner, name: `  ${owner.owner}` }]),
          ...functionLines(owner),
        ]),
    ],
  )
  const others = [
    { name: 'event loop and kernel', share: thread.nativeShare, ...nothing },
    { name: 'missed by the profiler', share: thread.missedShare, ...nothing },
  ]
  return [...concerns, ...others].filter(({ share, gcShare }) => share + gcShare >= LEAST_LINE)
}

const nothing = { gcShare: 0, allocatedShare: null, margin: null }

const functionLines = ({ share, gcShare, functions }: Share) =>
  share + gcShare < LEAST_NAMING
    ? []
    : functions
        .filter(each => each.share >= LEAST_OWNER)
        .map(each => ({ name: `    ${each.name}`, share: each.share, ...nothing }))

export const lineColumns: readonly Column<Line>[] = [
  { title: 'whose time', cell: ({ name }) => name },
  { title: 'share', cell: ({ share }) => percent(share) },
  { title: 'its garbage', cell: ({ gcShare }) => (gcShare > 0 ? percent(gcShare) : '') },
  { title: 'allocated', cell: ({ allocatedShare }) => (allocatedShare ? percent(allocatedShare) : '') },
  { title: 'together', cell: ({ share, gcShare }) => percent(share + gcShare) },
  { title: '± 95 %', cell: ({ margin }) => (margin === null ? '' : (margin * 100).toFixed(1)) },
]

export const adviceColumnsOf = ({ unit }: Pick<Report, 'unit'>): readonly Column<Advice>[] => [
  { title: 'concern', cell: ({ concern }) => concern },
  { title: 'share', cell: ({ share }) => percent(share) },
  { title: 'can leave', cell: ({ leaves }) => (leaves ? 'yes' : 'no') },
  { title: `µs/${unit}`, cell: ({ microsPerRequest }) => microsPerRequest?.toFixed(0) ?? '' },
  {
    title: 'cost at best',
    cell: ({ costAtBest, costAtBestRange }) => ratioWithin(costAtBest, costAtBestRange),
  },
  { title: 'throughput at best', cell: ({ throughputAtBest }) => `${throughputAtBest.toFixed(2)} ×` },
  {
    title: 'total CPU',
    cell: ({ addedCpuShare }) => (addedCpuShare === null ? '' : `+${percent(addedCpuShare)}`),
  },
]

/** A ratio and its interval: `0.51 × [0.45, 0.56]`. */
export const ratioWithin = (ratio: number, [low, high]: readonly [number, number]): string =>
  `${ratio.toFixed(2)} × [${low.toFixed(2)}, ${high.toFixed(2)}]`

export const percent = (share: number): string => formatPercent(share, 1)
