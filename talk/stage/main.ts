import { once } from 'node:events'
import { onStopRequested, runCommand } from '../../lib/cli/command.ts'
import { stageOptions } from './options.ts'

await runCommand({
  usage: 'npm run stage -- [options]',
  description: `Keeps the app under load and shows the steps on one page, for a room. Keys 0 to 9, arrows and PageUp and PageDown
move to a step without a failed request, in this terminal and on the page; s asks for /demo, /page or both, o chooses what
the app does with requests beyond its capacity, and a space starts and pauses the tour.
Ctrl-C stops everything.`,
  options: stageOptions,
  async run(options) {
    const [stop, kill] = [new AbortController(), new AbortController()]
    const stopRequested = once(stop.signal, 'abort')
    onStopRequested(
      () => stop.abort(),
      () => {
        kill.abort()
        process.exit(130)
      },
    )
    const { runReplay, runStage } = await import('./run.ts')
    const { replay } = options
    if (replay === undefined) await runStage(options, { stop, kill: kill.signal, stopRequested })
    else await runReplay({ ...options, replay }, { stop, stopRequested })
  },
})
