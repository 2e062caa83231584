import type { Column } from '../../lib/columns.ts'
import { type Signal, signals } from '../../lib/processes/protocol.ts'
import type { RowResult } from '../outcome/results.ts'
import { nameOf, validSamples } from './rows.ts'

const names: Readonly<Record<Signal, string>> = { logLines: 'lines', spans: 'spans', metricPoints: 'points' }

/** Sums over the valid samples of a row. A ledger closes when emitted = delivered + dropped. */
export const ledgerColumns: readonly Column<RowResult>[] = [
  { title: 'row', cell: nameOf },
  ...signals.flatMap(signal =>
    (['emitted', 'delivered', 'dropped'] as const).map(what => ({
      title: `${names[signal]} ${what}`,
      cell: (row: RowResult) => String(sum(row, signal, what)),
    })),
  ),
  {
    title: 'closes',
    cell: row =>
      signals.every(
        each => sum(row, each, 'emitted') === sum(row, each, 'delivered') + sum(row, each, 'dropped'),
      )
        ? '✓ closed'
        : '✗ open',
  },
]

const sum = (row: RowResult, signal: Signal, what: 'emitted' | 'delivered' | 'dropped') =>
  validSamples(row).reduce((total, { ledger }) => total + ledger[signal][what], 0)
