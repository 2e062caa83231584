import type { Column } from '../../lib/cli/columns.ts'
import { type Signal, type SignalCounts, signals } from '../../lib/processes/protocol.ts'
import type { RowResult } from '../outcome/results.ts'
import { nameOf, validSamples } from './rows.ts'

const names: Readonly<Record<Signal, string>> = { logLines: 'lines', spans: 'spans', metricPoints: 'points' }

/** Sums over the valid samples of a row. A ledger closes when emitted = delivered + dropped + rejected. */
export const ledgerColumns: readonly Column<RowResult>[] = [
  { title: 'row', cell: nameOf },
  ...signals.flatMap(signal =>
    (['emitted', 'delivered', 'dropped'] as const).map(what => ({
      title: `${names[signal]} ${what}`,
      cell: (row: RowResult) => String(sum(row, signal, what)),
    })),
  ),
  { title: 'lines rejected', cell: row => String(sum(row, 'logLines', 'rejected')) },
  { title: 'closes', cell: row => (signals.every(each => closes(row, each)) ? '✓ closed' : '✗ open') },
]

const closes = (row: RowResult, signal: Signal): boolean =>
  sum(row, signal, 'emitted') ===
  sum(row, signal, 'delivered') + sum(row, signal, 'dropped') + sum(row, signal, 'rejected')

/** Runs that were saved before lines could be rejected lack that count. */
const sum = (row: RowResult, signal: Signal, what: keyof SignalCounts) =>
  validSamples(row).reduce((total, { ledger }) => total + (ledger[signal][what] ?? 0), 0)
