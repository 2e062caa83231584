import { createServer } from 'node:http'
import { lastStep } from '../../app/steps.ts'
import { listen } from '../../lib/listen.ts'
import type { Counts } from '../../lib/processes/protocol.ts'
import { type Stack, type StackOptions, startStack } from '../../stack/stack.ts'
import { logPlaces } from '../places.ts'

export const LINES_PER_REQUEST = 10
const QUICK_RETRY_MS = 100

export async function startLoggingStack(
  directory: string,
  options: Partial<StackOptions> = {},
): Promise<Stack> {
  return startStack({
    composition: { ...lastStep.composition, compute: 'inline', logging: 'sidecar', apm: 'none' },
    ...options,
    app: { ...logPlaces(directory), ...options.app },
    loggerTransport: { keptFiles: 1000, ...options.loggerTransport },
  })
}

export const logUrl = (stack: Stack, count = LINES_PER_REQUEST) =>
  `${stack.address('app')}/log?count=${count}`

/** Lines that the app has emitted, and those that logger-transport has delivered. */
export async function readLedger(stack: Stack): Promise<{ emitted: number; delivered: number }> {
  const [app, transport] = await Promise.all(
    [stack.address('app', 'admin'), stack.address('logger-transport')].map(async url => {
      const { logLines } = (await (await fetch(`${url}/counts`)).json()) as Counts
      return logLines
    }),
  )
  return { emitted: app?.emitted ?? 0, delivered: transport?.delivered ?? 0 }
}

/** A receiver of OTLP logs that can be taken down. */
export async function startDestination() {
  let isDown = false
  let refused = 0
  const server = createServer((request, response) => {
    request.resume()
    if (isDown) {
      refused++
      return response.writeHead(503, { 'retry-after': String(QUICK_RETRY_MS / 1000) }).end()
    }
    return response.setHeader('content-type', 'application/x-protobuf').end()
  })
  const url = await listen(server, '127.0.0.1', 0)
  return {
    url,
    refused: () => refused,
    down(state: boolean) {
      isDown = state
    },
    close: () => new Promise(resolve => server.close(resolve)),
  }
}
