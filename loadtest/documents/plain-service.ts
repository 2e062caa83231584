import type { Column } from '../../lib/cli/columns.ts'
import type { Environment } from '../outcome/environment.ts'
import { formatRatio } from '../outcome/format.ts'
import type { Ratio } from '../statistics/ratio.ts'

/** What `main-thread versus` says about each offload of `examples/plain-service`. */
export interface PlainService {
  readonly schemaVersion: 1
  readonly kind: 'plain-service'
  readonly environment: Environment
  readonly blocks: number
  readonly offloads: readonly Offload[]
}

interface Offload {
  readonly offload: string
  readonly path: string
  readonly comparisons: readonly { readonly measure: string; readonly ratio: Ratio }[]
}

const ratioOf = (title: string, measure: string): Column<Offload> => ({
  title,
  cell: ({ comparisons }) => formatRatio(comparisons.find(each => each.measure === measure)?.ratio, 2),
})

export const offloadColumns: readonly Column<Offload>[] = [
  { title: 'offload', cell: ({ offload }) => `\`${offload}\`` },
  { title: 'request', cell: ({ path }) => `\`${path}\`` },
  ratioOf('main thread, after over before', 'main thread, µs/response'),
  ratioOf('total CPU', 'total CPU, µs/response'),
]
