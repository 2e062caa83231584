import type { Counts } from '../../lib/processes/protocol.ts'
import type { StackOptions } from '../../stack/stack-options.ts'
import { logPlaces, type Stack, startStack } from '../stack-parts.ts'
import { patient } from './fault.ts'
import { step } from './protocol.ts'

export const LINES_PER_REQUEST = 10

export async function startLoggingStack(
  directory: string,
  options: Partial<StackOptions> = {},
): Promise<Stack> {
  return startStack({
    composition: step.composition,
    ...options,
    app: { ...logPlaces(directory), ...patient, ...options.app },
    loggerTransport: { keptFiles: 1000, ...options.loggerTransport },
  })
}

export const logUrl = (stack: Stack, count = LINES_PER_REQUEST) =>
  `${stack.address('app')}/log?count=${count}`

/** Reads how many lines the app has emitted, and how many logger-transport has delivered. */
export async function readLedger(stack: Stack): Promise<{ emitted: number; delivered: number }> {
  const [app, transport] = await Promise.all(
    [stack.address('app', 'admin'), stack.address('logger-transport')].map(async url => {
      const { logLines } = (await (await fetch(`${url}/counts`)).json()) as Counts
      return logLines
    }),
  )
  return { emitted: app?.emitted ?? 0, delivered: transport?.delivered ?? 0 }
}
