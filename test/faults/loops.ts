import { schedule } from '../../loadtest/generator/arrivals.ts'

/** Asks once, and resolves when that is answered, well or not. */
export type Ask = () => Promise<void>

/** Stops asking, and waits for the answers to what was sent. */
export type StopAsking = () => Promise<void>

/** So many clients, each of which asks again once it is answered. */
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

/** Asks by a schedule that a seed decides, whatever became of what was asked before. */
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
