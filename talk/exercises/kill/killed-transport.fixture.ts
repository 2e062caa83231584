import { followSegments } from '../../../logger-transport/follow.ts'
import { Metrics } from '../../../logger-transport/metrics.ts'

/** A transport whose target never confirms. It tells its parent when the target has been given lines, and waits to be killed. */
const [logDirectory = ''] = process.argv.slice(2)
const deliver = () => {
  setInterval(() => {}, 1000)
  process.send?.('delivering')
  return new Promise<never>(() => {})
}
await followSegments({
  logDirectory,
  targets: [{ name: 'one', deliver, close: async () => {} }],
  metrics: new Metrics(),
  silentAfterMs: 3_600_000,
  finish: new AbortController().signal,
})
