import { schedule, startClients } from '../../loadtest/generator/load.ts'

/** Makes one request. Resolves when it has succeeded or failed. */
export type Ask = () => Promise<void>

/** Makes no more requests, and waits for those in flight. */
export type StopAsking = () => Promise<void>

/** Starts clients that each make the next request when the last one has ended. */
export const startClosedLoop = (ask: Ask, clients: number): StopAsking =>
  startClients(clients, async () => {
    await ask()
    return 0
  })

/** Starts requests at scheduled times drawn from a seed, whether or not earlier ones have ended. */
export function startOpenLoop(ask: Ask, ratePerSecond: number, seed: number): StopAsking {
  const inFlight = new Set<Promise<void>>()
  const times = schedule({ arrivals: 'poisson', ratePerSecond, seed })
  const startedAtMs = performance.now()
  let nextAtMs = startedAtMs + times.next().value
  let timer: NodeJS.Timeout
  const sendDue = () => {
    for (; nextAtMs <= performance.now(); nextAtMs = startedAtMs + times.next().value) {
      const answered = ask()
      inFlight.add(answered)
      void answered.finally(() => inFlight.delete(answered))
    }
    timer = setTimeout(sendDue, Math.max(0, nextAtMs - performance.now()))
  }
  sendDue()
  return async () => {
    clearTimeout(timer)
    await Promise.all(inFlight)
  }
}
