import { fork } from 'node:child_process'
import { join } from 'node:path'
import { UserError } from '../lib/user-error.ts'
import type { Stack } from '../stack/stack.ts'
import type { Settings } from './options.ts'
import {
  type GeneratorMessage,
  type LoadOrder,
  type Measurement,
  type Sidecar,
  sidecars,
} from './protocol.ts'

/**
 * Puts load on a stack from a process of its own, so that what generates it is not measured with what serves it.
 * @throws when the generator fails or `abort` is raised
 */
export function generateLoad(stack: Stack, settings: Settings, abort: AbortSignal): Promise<Measurement> {
  const order: LoadOrder = {
    url: stack.address('app'),
    scenario: settings.scenario,
    firstSeed: 1,
    connections: settings.connections,
    warmupMs: settings.warmupSeconds * 1000,
    durationMs: settings.durationSeconds * 1000,
    usageUrls: { app: `${stack.address('app', 'admin')}/usage`, ...sidecarUsageUrls(stack) },
  }
  const generator = fork(join(import.meta.dirname, 'generator.ts'))
  const { promise, resolve, reject } = Promise.withResolvers<Measurement>()
  const giveUp = () => reject(abort.reason)
  abort.addEventListener('abort', giveUp)
  generator.once('message', (message: GeneratorMessage) => {
    if (message.kind === 'measured') resolve(message.measurement)
    else reject(new Error(`the load generator failed: ${message.message}`))
  })
  generator.once('exit', (code, signal) =>
    reject(new UserError(`the load generator ended with ${signal ?? code}`)),
  )
  generator.send(order)
  return promise.finally(() => {
    abort.removeEventListener('abort', giveUp)
    generator.kill('SIGKILL')
  })
}

/** Where each sidecar that this stack has tells its CPU time. */
function sidecarUsageUrls({ processes }: Stack) {
  const urls = Object.entries(sidecars).flatMap(([sidecar, process]) => {
    const running = processes.find(({ name }) => name === process)
    return running ? [[sidecar, `${running.addresses.http}/usage`]] : []
  })
  return Object.fromEntries(urls) as Partial<Record<Sidecar, string>>
}
