import { setTimeout as delay } from 'node:timers/promises'
import { type ProcessOptions, type RunningProcess, startProcess } from './process.ts'

const FIRST_PAUSE_MS = 100
const LONGEST_PAUSE_MS = 5000
const MAX_RESTARTS = 5
/** A process that lived this long is taken to have recovered. */
const RECOVERED_AFTER_MS = 60_000

/**
 * Starts a process and starts it again when it dies, at the same address, after a pause that doubles each time. After
 * five restarts without a minute of life between them it is given up: then, and not before, `ended` resolves.
 */
export async function superviseProcess(options: ProcessOptions): Promise<RunningProcess> {
  let current = await startProcess(options)
  let restarts = 0
  let stopping = false
  const { port } = new URL(current.addresses.http as string)
  const again = { ...options, flags: [...options.flags, '--port', port] }

  async function watch(): Promise<string> {
    for (let recent = 0; ; ) {
      const startedAt = performance.now()
      const death = await current.ended
      if (stopping) return death
      recent = performance.now() - startedAt > RECOVERED_AFTER_MS ? 1 : recent + 1
      if (recent > MAX_RESTARTS) return `${death}, ${MAX_RESTARTS} restarts did not help`
      process.stderr.write(`${death}; it is restarted (${recent} of ${MAX_RESTARTS})\n`)
      await delay(Math.min(FIRST_PAUSE_MS * 2 ** (recent - 1), LONGEST_PAUSE_MS))
      if (stopping) return death
      restarts++
      try {
        current = await startProcess(again)
      } catch (error) {
        process.stderr.write(`${(error as Error).message}\n`)
      }
    }
  }

  return {
    name: options.name,
    addresses: current.addresses,
    ended: watch(),
    get pid() {
      return current.pid
    },
    get restarts() {
      return restarts
    },
    stop() {
      stopping = true
      return current.stop()
    },
  }
}
