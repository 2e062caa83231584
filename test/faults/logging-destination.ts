import { createServer } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { listen } from '../../lib/http/listen.ts'
import { decodeLogs } from '../otlp-receiver.ts'

/** How a destination treats the log lines that it receives. */
export type Conduct = 'takes' | 'refuses' | 'refuses for good' | 'is slow' | 'hangs'

const QUICK_RETRY = { 'retry-after': '0.1' }
const SLOW_MS = 1000

/** Starts a receiver of OTLP logs. It can be told to refuse lines, to be slow, or not to answer at all. */
export async function startDestination(conduct: Conduct = 'takes') {
  let current = conduct
  let refused = 0
  const received: number[] = []
  const server = createServer(async (request, response) => {
    const body = await buffer(request)
    if (current === 'hangs') return
    if (current === 'refuses' || current === 'refuses for good') {
      refused++
      response.writeHead(current === 'refuses' ? 503 : 400, QUICK_RETRY).end()
      return
    }
    if (current === 'is slow') await delay(SLOW_MS)
    const lines = decodeLogs(body).flatMap(({ records }) => records)
    received.push(...lines.map(({ attributes }) => Number(attributes.sequence)))
    response.setHeader('content-type', 'application/x-protobuf').end()
  })
  const url = await listen(server, '127.0.0.1', 0)
  return {
    url,
    refused: () => refused,
    /** The numbers of the lines that the destination took, in the order of their arrival. */
    received: received as readonly number[],
    behave(how: Conduct) {
      current = how
    },
    close() {
      server.closeAllConnections()
      return new Promise(resolve => server.close(resolve))
    },
  }
}
