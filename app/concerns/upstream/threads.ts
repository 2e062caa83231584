import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { BroadcastChannel } from 'node:worker_threads'
import type { CallTimes } from '../../../lib/telemetry/call-times.ts'
import { monotonicMs } from '../../../lib/units.ts'
import { Problem } from '../../problems.ts'
import type { SpanHandle } from '../apm/contract.ts'
import { answerByThread } from '../serialization/answer-by-thread.ts'
import type { CallHeaders, CreateUpstream, InThreads, ThreadCall, UpstreamOptions } from './contract.ts'
import type { ThreadNews } from './in-thread.ts'
import { createMainClient } from './main-client.ts'
import { createCircuitTable } from './orders-client.ts'

/** A call ends at the deadline of its request. A busy thread tells it this much later. */
const LATE_MS = 2000

/**
 * The client side of HTTP costs the main thread as much as the server side. Here the thread that needs the data fetches
 * it, and the main thread only asks the thread and gets the finished answer. What the main thread or a child process
 * needs, the main thread fetches as before.
 */
export const createUpstream: CreateUpstream = options => {
  const { url, timeoutMs, accept, apm, onCircuitChange } = options
  const table = createCircuitTable()
  const { places, ...client } = createMainClient(options, table)
  const channel = `circuits ${randomUUID()}`
  const abandoned = new Map<number, OpenCall>()
  const news = new BroadcastChannel(channel)
  news.unref()
  news.onmessage = ({ data }) => {
    const said = data as ThreadNews
    if (said.kind === 'circuit') onCircuitChange(said.operation, said.state)
    else abandoned.get(said.id)?.end(said.times)
  }

  const begin = (parent: SpanHandle, onClosed?: () => void) =>
    new OpenCall({ url, apm, parent, abandoned, onClosed })
  const release = () => places.release()
  const call: InThreads['call'] = (operation, parent) => {
    if (client.circuits[operation].refuses()) throw new Problem('UPSTREAM_UNAVAILABLE')
    const waiting = places.take()
    return waiting ? waiting.then(() => begin(parent, release)) : begin(parent, release)
  }

  const data = { url, timeoutMs, accept, table, channel }
  return {
    ...client,
    inThreads: {
      answersFile: join(import.meta.dirname, '../serialization/answers-in-threads.ts'),
      answers: (serve, logging) => answerByThread(call, serve, logging),
      pageFile: join(import.meta.dirname, '../../pages/fetching-page.ts'),
      data,
      call,
      begin: parent => begin(parent),
    },
    async close() {
      news.close()
      for (const call of abandoned.values()) call.drop()
      await client.close()
    },
  }
}

interface OpenCallOptions extends Pick<UpstreamOptions, 'url' | 'apm'> {
  /** The span of the request. */
  readonly parent: SpanHandle
  /** The calls for whose end nobody waits. */
  readonly abandoned: Map<number, OpenCall>
  readonly onClosed: (() => void) | undefined
}

let lastId = 0

class OpenCall implements ThreadCall {
  readonly id = ++lastId
  readonly headers: CallHeaders
  readonly #abandoned: Map<number, OpenCall>
  readonly #apm: UpstreamOptions['apm']
  readonly #span: SpanHandle
  readonly #onClosed: (() => void) | undefined
  #isOpen = true
  #timer: NodeJS.Timeout | undefined

  constructor({ url, apm, parent, abandoned, onClosed }: OpenCallOptions) {
    this.#abandoned = abandoned
    this.#apm = apm
    this.#span = apm.startCall(url, parent)
    this.#onClosed = onClosed
    this.headers = apm.callHeaders(this.#span, parent)
  }

  end(times: CallTimes): void {
    if (this.#close()) this.#apm.endCall(this.#span, times)
  }

  drop(): void {
    if (this.#close()) this.#apm.drop(this.#span)
  }

  abandon(deadline: number): void {
    if (!this.#isOpen) return
    this.#abandoned.set(this.id, this)
    this.#timer ??= setTimeout(() => this.drop(), deadline + LATE_MS - monotonicMs()).unref()
  }

  /** @returns whether the call was open */
  #close(): boolean {
    const wasOpen = this.#isOpen
    this.#isOpen = false
    clearTimeout(this.#timer)
    this.#abandoned.delete(this.id)
    if (wasOpen) this.#onClosed?.()
    return wasOpen
  }
}
