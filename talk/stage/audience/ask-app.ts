import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'

const LIMIT_MS = 5000

/**
 * Asks the app for `/hello` over a connection of its own: one that is kept may end with the app of the step before.
 * @returns the time until the answer was complete, in milliseconds
 * @throws Error when the app gives no good answer within five seconds
 */
export async function askApp(url: string): Promise<number> {
  const askedAtMs = performance.now()
  const request = get(`${url}/hello`, { agent: false, signal: AbortSignal.timeout(LIMIT_MS) })
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  await once(response.resume(), 'end')
  if (response.statusCode !== 200) throw new Error(`the app answered ${response.statusCode}`)
  return performance.now() - askedAtMs
}
