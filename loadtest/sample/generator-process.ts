import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { UserError } from '../../lib/cli/user-error.ts'
import type {
  GeneratorMessage,
  GeneratorRequest,
  LoadOrder,
  Measurement,
  WindowEvent,
} from '../generator/protocol.ts'

/** A load generator in a process of its own, so that its CPU time is not measured as part of a stack. */
export interface GeneratorProcess {
  readonly nodeFlags: readonly string[]
  /**
   * Carries out one order, after those before.
   * @param onWindow called before the window opens, which waits for its return, when it has opened and when it has closed
   * @throws Error when the generator fails or the signal is aborted
   */
  measure(order: LoadOrder, onWindow?: (event: WindowEvent) => void): Promise<Measurement>
  kill(): void
}

export function startGenerator(abort: AbortSignal, nodeFlags: readonly string[] = []): GeneratorProcess {
  const execArgv = [...process.execArgv, ...nodeFlags]
  const generator = fork(join(import.meta.dirname, '../generator/main.ts'), { execArgv })
  const failure = Promise.withResolvers<never>()
  failure.promise.catch(() => {})
  const send = (request: GeneratorRequest) => generator.send(request, () => {})
  const giveUp = () => failure.reject(abort.reason)
  abort.addEventListener('abort', giveUp)
  // On a busy machine, the end may be noticed before the last message is read.
  Promise.all([once(generator, 'exit'), once(generator, 'disconnect')]).then(
    ([[code, signal]]) => failure.reject(new UserError(`the load generator ended with ${signal ?? code}`)),
    failure.reject,
  )
  return {
    nodeFlags,
    measure(order, onWindow = () => {}) {
      const { promise, resolve, reject } = Promise.withResolvers<Measurement>()
      const hear = (message: GeneratorMessage) => {
        if (message.kind === 'measured') return resolve(message.measurement)
        if (message.kind === 'failed')
          return reject(new Error(`the load generator failed: ${message.message}`))
        onWindow(message.kind)
        if (message.kind === 'opening') send({ kind: 'open' })
      }
      generator.on('message', hear)
      send({ kind: 'measure', order })
      return Promise.race([promise, failure.promise]).finally(() => generator.off('message', hear))
    },
    kill() {
      abort.removeEventListener('abort', giveUp)
      generator.kill('SIGKILL')
    },
  }
}
