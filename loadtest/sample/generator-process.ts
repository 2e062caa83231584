import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { UserError } from '../../lib/user-error.ts'
import type { GeneratorMessage, LoadOrder, Measurement } from '../generator/protocol.ts'

export type WindowEvent = 'opened' | 'closed'

/** A load generator in a process of its own, so that its CPU time is not measured as part of a stack. */
export interface GeneratorProcess {
  readonly pid: number
  /**
   * Carries out one order, after those before.
   * @param onWindow called when the measured window opens and when it closes
   * @throws Error when the generator fails or the signal is aborted
   */
  measure(order: LoadOrder, onWindow?: (event: WindowEvent) => void): Promise<Measurement>
  kill(): void
}

export function startGenerator(abort: AbortSignal): GeneratorProcess {
  const generator = fork(join(import.meta.dirname, '../generator/main.ts'))
  const failure = Promise.withResolvers<never>()
  failure.promise.catch(() => {})
  const giveUp = () => failure.reject(abort.reason)
  abort.addEventListener('abort', giveUp)
  // On a busy machine, the end may be noticed before the last message is read.
  Promise.all([once(generator, 'exit'), once(generator, 'disconnect')]).then(
    ([[code, signal]]) => failure.reject(new UserError(`the load generator ended with ${signal ?? code}`)),
    failure.reject,
  )
  return {
    pid: generator.pid as number,
    measure(order, onWindow = () => {}) {
      const { promise, resolve, reject } = Promise.withResolvers<Measurement>()
      const hear = (message: GeneratorMessage) => {
        if (message.kind === 'opened' || message.kind === 'closed') onWindow(message.kind)
        else if (message.kind === 'measured') resolve(message.measurement)
        else reject(new Error(`the load generator failed: ${message.message}`))
      }
      generator.on('message', hear)
      generator.send(order, () => {})
      return Promise.race([promise, failure.promise]).finally(() => generator.off('message', hear))
    },
    kill() {
      abort.removeEventListener('abort', giveUp)
      generator.kill('SIGKILL')
    },
  }
}
