import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { UserError } from '../../../lib/cli/user-error.ts'
import { findNoise } from '../../sample/noise.ts'
import type { Order, Reply } from './protocol.ts'
import type { AnySample } from './results.ts'

/**
 * Measures one order in a process of its own, which has ended with all that it started when this returns.
 * @throws Error when it cannot be measured, or `abort` is aborted
 */
export async function takeSample(
  order: Order,
  round: number,
  abort: AbortSignal,
  acceptsNoise = false,
): Promise<AnySample> {
  abort.throwIfAborted()
  const subject = fork(join(import.meta.dirname, 'subject.ts'))
  const ended = once(subject, 'exit')
  const end = () => subject.connected && subject.disconnect()
  abort.addEventListener('abort', end)
  try {
    subject.send(order)
    const reply = await Promise.race([
      once(subject, 'message').then(([message]) => message as Reply),
      ended.then(([code, signal]) => {
        throw new UserError(`the process that is measured ended with ${signal ?? code}`)
      }),
    ])
    if (reply.kind === 'failed') throw new Error(`what is measured failed: ${reply.message}`)
    const noise = findNoise(reply.report.machine)
    const reason = noise?.refuses && !acceptsNoise ? noise.reason : null
    return { ...reply.report, round, valid: reason === null, reason, noise: noise?.reason ?? null }
  } finally {
    abort.removeEventListener('abort', end)
    end()
    await ended
  }
}
