import { setTimeout as delay } from 'node:timers/promises'
import { Pool } from 'undici'
import { subsetSum } from '../../../workers/subset-sum.ts'
import { count } from '../fault.ts'
import { startClosedLoop } from '../loops.ts'

const CLIENTS = 24
const SEEDS = 200
const SIZE = 11
/** A client that is refused waits for this time, as `retry-after` asks, only less. */
const PAUSE_MS = 50

/** The failures that the docs name, by the code in the body. */
const NAMED = ['OVERLOADED', 'DEADLINE_PASSED', 'ANSWER_LATE']

/** Clients of a closed loop that compare every body. */
export function startClients(url: string, limitMs: number) {
  const pool = new Pool(url, { connections: CLIENTS, headersTimeout: 2 * limitMs, bodyTimeout: 2 * limitMs })
  const right = Array.from({ length: SEEDS }, (_, seed) =>
    JSON.stringify(subsetSum.run({ size: SIZE, seed })),
  )
  const tally = {
    good: 0,
    hung: 0,
    failed: {} as Record<string, number>,
    wrong: {} as Record<string, number>,
  }
  let asked = 0
  const ask = async () => {
    const seed = asked++ % SEEDS
    const sentAtMs = performance.now()
    try {
      const { statusCode, body } = await pool.request({
        path: `/cpu?size=${SIZE}&seed=${seed}`,
        method: 'GET',
      })
      const text = await body.text()
      const code = statusCode === 200 ? undefined : (JSON.parse(text) as { code: string }).code
      if (text === right[seed]) tally.good++
      else if (code && NAMED.includes(code)) count(tally.failed, code)
      else count(tally.wrong, `${statusCode} ${text.slice(0, 200)}`)
      if (statusCode !== 200) await delay(PAUSE_MS)
    } catch (error) {
      count(tally.wrong, (error as NodeJS.ErrnoException).code ?? (error as Error).message)
    }
    if (performance.now() - sentAtMs > limitMs) tally.hung++
  }
  const stop = startClosedLoop(ask, CLIENTS)
  return {
    tally,
    async stop() {
      await stop()
      await pool.close()
    },
  }
}
