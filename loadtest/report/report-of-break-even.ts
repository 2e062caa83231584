import { toFlags } from '../../lib/command-line.ts'
import type { BreakEvenResults } from '../break-even/results.ts'
import { groupByWay, hopColumns, startColumns } from '../break-even/tables.ts'
import { describeCrossings } from '../break-even/words.ts'
import { renderTable } from './figure.ts'
import { taskLengthFigures } from './figures/task-lengths.ts'
import { html } from './html.ts'
import { describeMeasuring } from './measuring.ts'
import { checkEnvironment, describeRefusals, type Notice, partial } from './notices.ts'
import { describeSource, type Report } from './page.ts'

/** What a run of `break-even` shows. */
export function reportOfBreakEven(results: BreakEvenResults): Report {
  const { environment, settings, crossings, hops, starts } = results
  return {
    title: 'Should a task leave?',
    introduction:
      'From which length on a task should leave the main thread, and what a thread and a process cost.',
    notices: findNotices(results),
    remarks: describeCrossings(crossings),
    figures: taskLengthFigures(results),
    source: describeSource(environment),
    appendix: [
      {
        title: 'There and back',
        content: html`<p>Messages of both directions a second, and what a round trip costs the main thread.</p>
${renderTable('There and back', groupByWay(hops), hopColumns(settings.payloadsBytes))}`,
      },
      {
        title: 'One more thread, one more process',
        content: html`<p>How long it takes until another one is up, and what it adds in memory.</p>
${renderTable('One more thread, one more process', starts, startColumns)}`,
      },
      {
        title: 'How it was measured',
        content: describeMeasuring(repeatBreakEven(results), { ...environment, ...settings }),
      },
    ],
  }
}

function findNotices({
  partial: isPartial,
  environment,
  cells,
  hops,
  starts,
  idle,
}: BreakEvenResults): Notice[] {
  const samples = [...cells, ...hops, ...starts, idle].flatMap(
    (each): readonly { valid: boolean; reason: string | null }[] => each.samples,
  )
  return [isPartial ? partial : null, describeRefusals(samples), checkEnvironment(environment)].filter(
    notice => notice !== null,
  )
}

/** The command that measures the same again. */
export const repeatBreakEven = ({ settings }: Pick<BreakEvenResults, 'settings'>): string => {
  const flags = toFlags({
    lengths: settings.lengthsMicros,
    payloads: settings.payloadsBytes,
    concurrency: settings.concurrencies,
    threads: settings.threads,
    rounds: settings.rounds,
    durationMs: settings.windowMs,
    seed: settings.seed,
  })
  return ['npm run loadtest -- break-even', ...flags].join(' ')
}
