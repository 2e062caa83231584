import { once } from 'node:events'
import { parentPort, Worker, workerData } from 'node:worker_threads'
import type { CallHeaders, CallTimes } from '../../../lib/telemetry/call-times.ts'
import type { OrdersQuery } from '../../../orders/order.ts'
import type { RequestContext } from '../../context.ts'
import { Problem, type ProblemCode } from '../../problems.ts'
import type { InThreads, ThreadData } from './contract.ts'
import { createThreadClient } from './in-thread.ts'

/** A call that a test asks the thread for. */
interface Asked {
  readonly kind: 'call'
  readonly id: number
  readonly query: OrdersQuery
  readonly deadline: number
  readonly headers: CallHeaders
}

interface Answered {
  readonly id: number
  readonly times: CallTimes | undefined
  readonly data?: Uint8Array
  readonly code?: ProblemCode
}

/** Starts a thread that makes calls. @returns a function that makes one for a request, like `fetchOrders` */
export async function startCallingThread({ data, call }: InThreads) {
  const worker = new Worker(import.meta.filename, { workerData: data })
  await once(worker, 'message')
  const waiting = new Map<number, (answered: Answered) => void>()
  let calls = 0
  worker.on('message', (answered: Answered) => waiting.get(answered.id)?.(answered))
  const ask = async (query: OrdersQuery, context: RequestContext) => {
    const begun = await call('orders', context.span)
    try {
      if (context.gone) throw new Problem('CLIENT_GONE')
      const id = calls++
      const asked: Asked = { kind: 'call', id, query, deadline: context.deadline, headers: begun.headers }
      worker.postMessage(asked)
      context.onGone(() => worker.postMessage({ kind: 'gone', id }))
      return await new Promise<Uint8Array>((resolve, reject) => {
        waiting.set(id, ({ data, code, times }) => {
          if (times) begun.end(times)
          if (data) resolve(data)
          else reject(new Problem(code as ProblemCode))
        })
      })
    } finally {
      begun.drop()
    }
  }
  return { ask, worker }
}

if (parentPort) {
  const port = parentPort
  const client = await createThreadClient(workerData as ThreadData)
  const goners = new Map<number, () => void>()
  port.on('message', async (message: Asked | { readonly kind: 'gone'; readonly id: number }) => {
    if (message.kind === 'gone') return goners.get(message.id)?.()
    const { id, query, deadline, headers } = message
    let times: CallTimes | undefined
    const answer = (answered: Partial<Answered>) => port.postMessage({ id, times, ...answered })
    const caller = {
      deadline,
      gone: false,
      onGone(listener: () => void) {
        goners.set(id, listener)
        return () => goners.delete(id)
      },
    }
    const onCalled = (called: CallTimes) => {
      times = called
    }
    await client.fetchOrders(query, caller, { headers, onCalled }).then(
      data => answer({ data }),
      ({ code }: Problem) => answer({ code }),
    )
  })
  port.postMessage('ready')
}
