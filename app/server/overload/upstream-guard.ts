import type { MetricPoint } from '../../../apm-agent/metrics.ts'
import type { Queue } from '../../../lib/main-thread/watched-queue.ts'
import { record } from '../../../lib/record.ts'
import type { Logger } from '../../../lib/telemetry/logger.ts'
import type { ThreadCalls } from '../../../lib/telemetry/thread-calls.ts'
import type { WaitingClient } from '../../../lib/threads/envelope.ts'
import { monotonicMs } from '../../../lib/units.ts'
import type { Upstream } from '../../concerns/upstream/contract.ts'
import type { OrdersClient } from '../../concerns/upstream/orders-client.ts'
import { Problem } from '../../problems.ts'
import { type CallOutcome, CircuitBreaker, circuitStates, type PermittedCall } from './circuit-breaker.ts'

/**
 * Calls at the same time by the main thread, and answers at the same time by threads that make their calls. Pages take no
 * places: the renderer limits how many it makes at once.
 */
const AT_ONCE = 128
/** A call that took this much longer than its limit shows that this process was stopped or its thread busy. */
const AWAY_MS = 1000
/** A timer may fire a little early. */
const EARLY_MS = 50

/** The calls that the upstream answers, each with a circuit breaker of its own. */
const operations = ['orders', 'recommendations'] as const
type Operation = (typeof operations)[number]

/** Limits the number of calls, and makes none while they would probably fail. The functions of the client are replaced. */
export function guardUpstream(client: OrdersClient, timeoutMs: number, logger: Logger) {
  const ofCalls = new Semaphore(AT_ONCE)
  const ofAnswers = new Semaphore(AT_ONCE)
  const circuits = record(
    operations,
    operation =>
      new CircuitBreaker({
        onChange: state => logger.warn(`the circuit breaker of ${operation} is ${state}`),
      }),
  )
  const permit = (operation: Operation): PermittedCall => {
    const call = circuits[operation].begin()
    if (call === undefined) throw new Problem('UPSTREAM_UNAVAILABLE')
    return call
  }

  const guarded =
    <Query>(operation: Operation, fetch: (query: Query, requester: WaitingClient) => Promise<Uint8Array>) =>
    async (query: Query, requester: WaitingClient): Promise<Uint8Array> => {
      const circuit = circuits[operation]
      if (circuit.refuses()) throw new Problem('UPSTREAM_UNAVAILABLE')
      const waiting = ofCalls.take()
      if (waiting) await waiting
      try {
        const call = permit(operation)
        const beganAtMs = monotonicMs()
        try {
          const data = await fetch(query, requester)
          circuit.end(call, 'succeeded')
          return data
        } catch (error) {
          circuit.end(call, outcomeOf((error as Problem).code, monotonicMs() - beganAtMs, timeoutMs))
          throw error
        }
      } finally {
        ofCalls.release()
      }
    }
  client.fetchOrders = guarded('orders', client.fetchOrders)
  client.fetchRecommendations = guarded('recommendations', client.fetchRecommendations)

  return {
    queue: {
      workers: AT_ONCE,
      oldestWaitMs: () => Math.max(ofCalls.oldestWaitMs(), ofAnswers.oldestWaitMs()),
    } satisfies Queue,
    circuits,
    /** Guards the calls that threads make, and the answers that they make of them. */
    guardThreads(apm: object & { readonly calls?: ThreadCalls }, upstream: Upstream): void {
      const calls = apm.calls as ThreadCalls
      const { begin } = calls
      const { answerOrders } = upstream
      calls.begin = (name, ...rest) => {
        const operation = name as Operation
        const permitted = permit(operation)
        const call = begin(operation, ...rest)
        return {
          headers: call.headers,
          end(times) {
            call.end(times)
            const outcome = times ? outcomeOf(times.errorType, times.durationMs, timeoutMs) : 'abandoned'
            circuits[operation].end(permitted, outcome)
          },
        }
      }
      const release = () => ofAnswers.release()
      const answerWithPlace: typeof answerOrders = (query, context) => {
        const answered = answerOrders(query, context)
        answered.then(release, release)
        return answered
      }
      upstream.answerOrders = (query, context) =>
        ofAnswers.take()?.then(() => answerWithPlace(query, context)) ?? answerWithPlace(query, context)
    },
    /** The state of each circuit breaker, by the operation that it guards. */
    readPoints: async () =>
      operations.map(
        (operation): MetricPoint => ({
          metric: 'app.upstream.circuit',
          value: circuitStates.indexOf(circuits[operation].state),
          attributes: { 'app.upstream.operation': operation },
        }),
      ),
  }
}

/** What an outcome says about the upstream. A timeout is no failure of it if the call had less time, or this process did not run. */
function outcomeOf(error: string | undefined, durationMs: number, timeoutMs: number): CallOutcome {
  if (error === undefined) return 'succeeded'
  if (error === 'CLIENT_GONE' || error === 'DEADLINE_PASSED') return 'abandoned'
  const hadItsTime = durationMs >= timeoutMs - EARLY_MS && durationMs <= timeoutMs + AWAY_MS
  return error === 'UPSTREAM_TIMEOUT' && !hadItsTime ? 'abandoned' : 'failed'
}

/** A semaphore: a limited number of callers have a place at the same time. The others wait, first in, first out. */
class Semaphore {
  #free: number
  readonly #waiting: { begin(): void; readonly askedAtMs: number }[] = []

  constructor(places: number) {
    this.#free = places
  }

  /** Takes a place, which has to be released. @returns a promise only if none is free */
  take(): Promise<void> | undefined {
    if (this.#free === 0) return new Promise(begin => this.#waiting.push({ begin, askedAtMs: monotonicMs() }))
    this.#free--
    return undefined
  }

  release(): void {
    const next = this.#waiting.shift()
    if (next) next.begin()
    else this.#free++
  }

  /** Milliseconds for which the first in line has waited; 0 when none waits. */
  oldestWaitMs(): number {
    const [first] = this.#waiting
    return first ? monotonicMs() - first.askedAtMs : 0
  }
}
