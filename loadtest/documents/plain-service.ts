import { readFileSync } from 'node:fs'
import type { Column } from '../../lib/cli/columns.ts'
import { UserError } from '../../lib/cli/user-error.ts'
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

/** @throws UserError when the file has other results */
export function readPlainService(file: string): PlainService {
  const results = JSON.parse(readFileSync(file, 'utf8'))
  if (results.kind === 'plain-service' && results.schemaVersion === 1) return results
  throw new UserError(`${file} holds no results of examples/measure-plain-service.ts`)
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
