import { toFlags } from '../../../lib/cli/command-line.ts'
import { duration, integer } from '../../../lib/cli/options.ts'
import { UserError } from '../../../lib/cli/user-error.ts'
import type { LoadTestCommand } from '../../declaration/command.ts'
import { type Presentation, table } from '../../declaration/presentation.ts'
import { printRun } from '../../declaration/print-run.ts'
import { rowOptions, samplingOptions } from '../../options.ts'
import { middle } from '../../outcome/format.ts'
import { discardResults, resultsFile } from '../../outcome/results-file.ts'
import { abortWhenAsked } from '../../run/abort.ts'
import { selectRows } from '../../sample/rows.ts'
import { drawSeed } from '../../settings-from.ts'
import type { IdleProcess, IdleResults } from './results.ts'
import { runIdle } from './run.ts'

const { seed, json } = samplingOptions

/** Seconds after the start of a stack, before the measured window. */
const SETTLE_SECONDS = 5

const options = {
  ...rowOptions,
  rounds: integer({ min: 1, max: 1000, default: '3', help: 'samples of every row' }),
  durationMs: duration({ minMs: 1000, default: '10s', help: 'length of the measured window' }),
  seed,
  json,
}

const use = (title: string, which: 'mainThread' | 'allThreads', of: 'cpuMs' | 'wakeups', digits: number) => ({
  title,
  cell: (row: IdleProcess & { readonly step: string }) => middle(row[which][of], digits),
})

const presentation: Presentation<IdleResults> = {
  heading: () => ({
    title: 'Without any load',
    introduction: 'What the processes of a stack use while no request arrives.',
  }),
  answer: ({ rows }) =>
    rows
      .filter(({ samples }) => samples.length > 0)
      .flatMap(({ name, processes }) => {
        const app = processes.find(process => process.name === 'app')
        return app
          ? `Without load, the main thread of ${name} uses ${middle(app.mainThread.cpuMs, 1, false)} ms of CPU time a second, and is woken ${middle(app.mainThread.wakeups, 1, false)} times.`
          : []
      })
      .join(' '),
  method: ({ settings: { rounds, settleSeconds, windowSeconds } }) =>
    `${rounds} rounds, windows of ${windowSeconds} s, ${settleSeconds} s after the start`,
  content: ({ rows }) => [
    table(
      'CPU time and wake-ups a second, without load',
      rows.flatMap(({ number, name, processes }) =>
        processes.map(process => ({ ...process, step: `${number ?? ' '} ${name}` })),
      ),
      [
        { title: 'step', cell: ({ step }) => step },
        { title: 'process', cell: ({ name }) => name },
        use('main thread ms/s', 'mainThread', 'cpuMs', 1),
        use('wake-ups/s', 'mainThread', 'wakeups', 1),
        use('all threads ms/s', 'allThreads', 'cpuMs', 1),
        use('wake-ups/s', 'allThreads', 'wakeups', 1),
      ],
    ),
  ],
  plots: () => [],
  samples: ({ rows }) => rows.flatMap(({ samples }) => samples),
}

/** Measures the processes of a stack that gets no request. */
export const idle: LoadTestCommand<typeof options> = {
  usage: 'npm run loadtest -- idle [options]',
  description: `Measures what a stack costs without any load: CPU time and wake-ups a second, of the main thread and of all
threads of each process. A wake-up is a voluntary context switch; other programs hardly change their number.`,
  options,
  presentation,
  async run(values, _words, report) {
    const abort = abortWhenAsked()
    const chosen = { ...values, seed: values.seed ?? drawSeed() }
    const { rounds, durationMs } = chosen
    const results = await runIdle(
      selectRows(values.steps, values.step, values),
      {
        command: 'idle',
        arguments: toFlags({ ...chosen, json: undefined }),
        rounds,
        settleSeconds: SETTLE_SECONDS,
        windowSeconds: durationMs / 1000,
        seed: chosen.seed,
      },
      abort,
    )
    if (abort.aborted && results.rows.every(({ samples }) => samples.length === 0)) {
      discardResults(results)
      throw new UserError('interrupted before a sample was taken')
    }
    printRun(results, presentation, values)
    await report(results)
    if (abort.aborted) throw new UserError(`interrupted; the partial results are in ${resultsFile(results)}`)
  },
}
