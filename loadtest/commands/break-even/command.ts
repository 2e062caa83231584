import { UserError } from '../../../lib/cli/user-error.ts'
import type { LoadTestCommand } from '../../declaration/command.ts'
import { printRun, warnOfNoise } from '../../declaration/print-run.ts'
import { adviseOn } from '../../outcome/noisy.ts'
import { discardResults, resultsFile } from '../../outcome/results-file.ts'
import { abortWhenAsked } from '../../run/abort.ts'
import { breakEvenOptions, settingsFrom } from './options.ts'
import { breakEvenPresentation as presentation } from './presentation.ts'
import type { BreakEvenResults } from './results.ts'
import { runBreakEven } from './run.ts'

export const breakEven: LoadTestCommand<typeof breakEvenOptions> = {
  usage: 'npm run loadtest -- break-even [options]',
  description: `Finds the length from which on a task should leave the main thread: its cost on the main thread and the delay that it
causes others, inline, in threads and in processes. Also measures how long a thread and a process take to start, and
what a message to them costs.`,
  options: breakEvenOptions,
  presentation,
  async run(options, _words, report) {
    const abort = abortWhenAsked()
    const results = await runBreakEven(settingsFrom(options), abort)
    if (abort.aborted && results.cells.some(({ samples }) => samples.length === 0)) {
      discardResults(results)
      throw new UserError('interrupted before a round was complete')
    }
    printRun(results, presentation, { json: options.json })
    await report(results)
    if (abort.aborted) throw new UserError(`interrupted; the partial results are in ${resultsFile(results)}`)
    warnOfNoise(presentation.samples(results))
    requireSamples(results)
  },
}

/** @throws UserError when the samples of half of the rounds of something, or more, had to be refused */
function requireSamples(results: BreakEvenResults): void {
  const { cells, hops, starts, idle, settings } = results
  const { rounds, acceptNoise } = settings
  const all = [...cells, ...hops, ...starts, idle]
  const poor = all.filter(({ samples }) => {
    const valid = samples.filter(sample => sample.valid).length
    return acceptNoise ? valid === 0 : valid * 2 <= rounds
  })
  if (poor.length > 0) {
    const advice = adviseOn(presentation.samples(results))
    throw new UserError(`${poor.length} of ${all.length} have not enough valid samples; ${advice}`)
  }
}
