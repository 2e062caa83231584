import { schedule } from '../../loadtest/generator/arrivals.ts'

/** Sends one request, and resolves when it has been answered or has failed. */
export type Ask = () => Promise<void>

/** Stops sending, and waits for the remaining answers. */
export type StopAsking = () => Promise<void>

/** Starts clients that each send the next request after an answer. */
export function startClosedLoop(ask: Ask, clients: number): StopAsking {
  let isOver = false
  const loops = Array.from({ length: clients }, async () => {
    while (!isOver) await ask()
  })
  return async () => {
    isOver = true
    await Promise.all(loops)
  }
}

/** Sends requests by a schedule that a seed decides, without waiting for earlier answers. */
export function startOpenLoop(ask: Ask, ratePerSecond: number, seed: number): StopAsking {
  const inFlight = new Set<Promise<void>>()
  const times = schedule({ kind: 'open', arrivals: 'poisson', ratePerSecond, seed })
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
