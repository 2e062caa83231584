import type { renderColumns } from '../../lib/cli/columns.ts'
import { formatRatio, middle } from '../outcome/format.ts'
import { describeMedian } from '../statistics/median.ts'
import { ratioOf, type Samples } from './bench-results.ts'
import { caseOf, type Phase, phaseNames } from './gc-cases.ts'

/** The ratios that the talk quotes for V8 (docs/talk.md). It has none for scavenges. */
const talk: Readonly<Partial<Record<Phase, string>>> = { mark: '0.7', evacuate: '0.3' }

/** A table of the phases: what V8's helper threads leave to the main thread. */
export function renderGc(samples: Samples, render: typeof renderColumns): string {
  const rows = phaseNames.map(phase => {
    const [shared, alone] = [caseOf(phase, 'shared'), caseOf(phase, 'alone')].map(
      name => samples[name] as readonly number[],
    ) as [readonly number[], readonly number[]]
    return { phase, shared, alone }
  })
  const median = (values: readonly number[]) => middle(describeMedian(values), 2, false)
  return render(rows, [
    { title: 'phase', cell: ({ phase }) => phase },
    { title: 'ms, helper threads too', cell: ({ shared }) => median(shared) },
    { title: 'ms, main thread alone', cell: ({ alone }) => median(alone) },
    { title: '× alone', cell: ({ shared, alone }) => formatRatio(ratioOf(shared, alone), 2) },
    { title: 'the talk', cell: ({ phase }) => talk[phase] ?? '-' },
  ])
}
