import { renderColumns } from '../../lib/cli/columns.ts'
import { formatRatio } from '../outcome/format.ts'
import { ratioOf, type Samples } from './bench-results.ts'

interface Comparison<Name extends string> {
  /** The case that all others are compared with. */
  readonly ours: Name
  /** Title of the column with the names. */
  readonly title: string
  /** Unit of the values. */
  readonly unit: string
}

/** Renders a table of all cases, with their ratios to ours. */
export const renderComparison =
  <Name extends string>({ ours, title, unit }: Comparison<Name>) =>
  (samples: Samples<Name>): string => {
    const rows = Object.entries<readonly number[]>(samples).map(([name, values]) => {
      const ordered = values.toSorted((a, b) => a - b)
      const at = (index: number) => (ordered[index] ?? Number.NaN).toFixed(0)
      const [min, median, max] = [at(0), at(ordered.length >> 1), at(ordered.length - 1)]
      return { name, min, median, max, ratio: ratioOf(values, samples[ours]) }
    })
    return renderColumns(rows, [
      { title, cell: ({ name }) => name },
      { title: unit, cell: ({ median }) => median },
      { title: 'min', cell: ({ min }) => min },
      { title: 'max', cell: ({ max }) => max },
      { title: '× ours', cell: ({ ratio }) => formatRatio(ratio, 2) },
    ])
  }
