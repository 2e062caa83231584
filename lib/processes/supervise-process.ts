import { setTimeout as delay } from 'node:timers/promises'
import { MAX_RESTARTS, Restarts } from '../restarts.ts'
import { sumCounts } from './counts.ts'
import type { Counts } from './protocol.ts'
import { type ProcessOptions, type RunningProcess, startProcess } from './start-process.ts'

/** A signal that is sent to all processes of a group reaches the stack as well by then. */
const SIGNAL_TO_ALL_MS = 500

/** What makes a server listen at the address that it had. */
const portFlags: Readonly<Record<string, string>> = { http: '--port', admin: '--admin-port' }

export interface SupervisedProcess extends RunningProcess {
  /** Resolves when it died for the first time and nobody had stopped it. */
  readonly died: Promise<string>
  /** Kills it; it is started again once `healed` resolves. @returns false when it has ended already */
  knockOut(healed: Promise<void>): boolean
}

interface Supervision extends ProcessOptions {
  /** Raised when everything is to stop that this process is a part of. */
  readonly stopping?: AbortSignal
}

/**
 * Starts a process and starts it again when it dies, at the same addresses, by the policy of {@link Restarts}. When it
 * is given up, then and not before, `ended` resolves. SIGTERM to it alone ends it in order, and it is started again.
 * @throws UserError when the first start fails
 */
export async function superviseProcess(options: Supervision): Promise<SupervisedProcess> {
  const died = Promise.withResolvers<string>()
  const restarts = new Restarts()
  const earlier: Promise<Counts>[] = []
  const own = new AbortController()
  const onMessage: ProcessOptions['onMessage'] = message => {
    options.onMessage?.(message)
    if (message.kind === 'terminated') void stopUnlessAll()
  }
  let current = await startProcess({ ...options, onMessage })
  let starting: Promise<unknown> = Promise.resolve()
  let restarted = 0
  let healed: Promise<void> | undefined
  const ports = Object.entries(portFlags).flatMap(([server, flag]) => {
    const url = current.addresses[server]
    return url ? [flag, new URL(url).port] : []
  })
  const again = { ...options, flags: [...options.flags, ...ports], onMessage }

  async function stopUnlessAll(): Promise<void> {
    await delay(SIGNAL_TO_ALL_MS)
    if (!options.stopping?.aborted && !own.signal.aborted) await current.stop()
  }

  /** @returns how it ended for good */
  async function watch(): Promise<string> {
    for (let life = current.ended; ; life = startAgain()) {
      const death = await life
      if (own.signal.aborted) return death
      died.resolve(death)
      if (healed) {
        // This death was asked for: it says nothing of whether restarts help.
        process.stderr.write(`${death}, as was asked for; it is restarted\n`)
        await healed
        healed = undefined
      } else {
        const restart = restarts.afterDeath()
        if (!restart) return `${death}, ${MAX_RESTARTS} restarts within a minute did not help`
        process.stderr.write(`${death}; it is restarted (${restart.number} of ${MAX_RESTARTS})\n`)
        await delay(restart.pauseMs, undefined, { signal: own.signal }).catch(() => {})
      }
      if (own.signal.aborted) return death
    }
  }

  /** @returns how that ended, be it that it did not start */
  async function startAgain(): Promise<string> {
    restarted++
    const { counts } = current
    const started = startProcess(again)
    starting = started.catch(() => {})
    try {
      current = await started
      earlier.push(counts)
      return current.ended
    } catch (error) {
      return (error as Error).message
    }
  }

  return {
    name: options.name,
    addresses: current.addresses,
    ended: watch(),
    died: died.promise,
    get pid() {
      return current.pid
    },
    get restarts() {
      return restarted
    },
    get counts() {
      return current.counts
    },
    signal: signal => current.signal(signal),
    tell: message => current.tell(message),
    knockOut(until) {
      if (!current.signal('SIGKILL')) return false
      healed = until
      return true
    },
    async stop() {
      own.abort()
      await starting
      const last = await current.stop()
      return sumCounts([...(await Promise.all(earlier)), last])
    },
  }
}
