import { setTimeout as delay } from 'node:timers/promises'
import { runningDelay } from '../os/running-time.ts'
import { formatDuration } from '../units.ts'
import { type Counts, sumCounts } from './protocol.ts'
import { MAX_RESTARTS, Restarts } from './restarts.ts'
import { type ProcessOptions, type RunningProcess, startProcess } from './start-process.ts'

/** A signal to all processes of a group also reaches the stack within this time, unless the stack is stopped. */
const SIGNAL_TO_ALL_MS = 500

/** The flags that make a server listen again at its earlier address. */
const portFlags: Readonly<Record<string, string>> = { http: '--port', admin: '--admin-port' }

export interface SupervisedProcess extends Omit<RunningProcess, 'counts'> {
  readonly restarts: number
  /** Resolves when the process died for the first time without having been stopped. */
  readonly died: Promise<string>
  /**
   * Kills the process. It is started again once `healed` resolves.
   * @returns false when the process has already ended
   */
  knockOut(healed: Promise<void>): boolean
}

interface Supervision extends ProcessOptions {
  /** Aborted when everything that this process is a part of should stop. */
  readonly stopping?: AbortSignal
  /** Whether the others go on without the process. Then it is never given up. */
  readonly isDispensable?: boolean
}

/**
 * Supervises a process: starts it, and starts it again at the same addresses when it dies, by the policy of {@link
 * Restarts}. A process whose restarts are spent is given up unless it is dispensable, and `ended` resolves. After a SIGTERM to
 * it alone, the process ends in order and is started again.
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
    await runningDelay(SIGNAL_TO_ALL_MS)
    if (!options.stopping?.aborted && !own.signal.aborted) await current.stop()
  }

  /** @returns a description of the end for good */
  async function watch(): Promise<string> {
    for (let life = current.ended; ; life = startAgain()) {
      const death = await life
      if (own.signal.aborted) return death
      died.resolve(death)
      if (healed) {
        // A fault switch killed the process, so this death does not count as a failed restart.
        process.stderr.write(`${death}, as was asked for; it is restarted\n`)
        await healed
        healed = undefined
      } else {
        const { number, isSpent, pauseMs } = restarts.afterDeath()
        const spent = `${death}, ${MAX_RESTARTS} restarts within a minute did not help`
        if (isSpent && !options.isDispensable) return spent
        const line = isSpent
          ? `${spent}; the others go on without it, and it is restarted in ${formatDuration(pauseMs)}`
          : `${death}; it is restarted (${number} of ${MAX_RESTARTS})`
        process.stderr.write(`${line}\n`)
        await delay(pauseMs, undefined, { signal: own.signal }).catch(() => {})
      }
      if (own.signal.aborted) return death
    }
  }

  /** @returns a description of the next end, or of the failed start */
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
