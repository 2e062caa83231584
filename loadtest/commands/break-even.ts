import type { Command } from '../../lib/command.ts'
import { UserError } from '../../lib/user-error.ts'
import { breakEvenOptions, settingsFrom } from '../break-even/options.ts'
import type { BreakEvenResults } from '../break-even/results.ts'
import { runBreakEven } from '../break-even/run.ts'
import { renderBreakEven } from '../break-even/tables.ts'
import { resultsFile } from '../outcome/results-file.ts'
import { tryToReport } from '../report/try-to-report.ts'
import { abortWhenAsked } from '../run/abort.ts'

export const breakEven: Command<typeof breakEvenOptions> = {
  usage: 'npm run loadtest -- break-even [options]',
  description: `From which length on a task should leave the main thread: what it costs the main thread and how long others
wait for it, inline, in threads and in processes; and what a thread and a process cost to start and to talk to.`,
  options: breakEvenOptions,
  async run(options) {
    const abort = abortWhenAsked()
    const results = await runBreakEven(settingsFrom(options), abort)
    process.stdout.write(
      options.json ? `${JSON.stringify(results, null, 2)}\n` : `\n${renderBreakEven(results)}\n`,
    )
    await tryToReport(results, options.slides)
    if (abort.aborted) throw new UserError(`interrupted; what there is is partial: ${resultsFile(results)}`)
    requireSamples(results)
  },
}

/** @throws UserError when the samples of half of the rounds of something, or more, had to be refused */
function requireSamples({ cells, hops, starts, idle, settings: { rounds } }: BreakEvenResults): void {
  const all = [...cells, ...hops, ...starts, idle]
  const poor = all.filter(({ samples }) => samples.filter(({ valid }) => valid).length * 2 <= rounds)
  const reasons = new Set(poor.flatMap(({ samples }) => samples.flatMap(({ reason }) => reason ?? [])))
  if (poor.length > 0) {
    throw new UserError(
      `${poor.length} of ${all.length} have not enough valid samples (${[...reasons].slice(0, 3).join('; ')}, …)`,
    )
  }
}
