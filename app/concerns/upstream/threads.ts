import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { BroadcastChannel } from 'node:worker_threads'
import type { CallTimes } from '../../../lib/telemetry/call-times.ts'
import { Problem } from '../../problems.ts'
import type { SpanHandle } from '../apm/contract.ts'
import { answerByThread } from '../serialization/answer-by-thread.ts'
import type { CallHeaders, CreateUpstream, InThreads, ThreadCall, UpstreamOptions } from './contract.ts'
import type { CircuitChange } from './in-thread.ts'
import { createMainClient } from './main-client.ts'
import { createCircuitTable } from './orders-client.ts'

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
  const changes = new BroadcastChannel(channel)
  changes.unref()
  changes.onmessage = ({ data }) => {
    const { operation, state } = data as CircuitChange
    onCircuitChange(operation, state)
  }

  const begin = (parent: SpanHandle, onClosed?: () => void) => new OpenCall({ url, apm, parent, onClosed })
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
      changes.close()
      await client.close()
    },
  }
}

interface OpenCallOptions extends Pick<UpstreamOptions, 'url' | 'apm'> {
  /** The span of the request. */
  readonly parent: SpanHandle
  readonly onClosed: (() => void) | undefined
}

class OpenCall implements ThreadCall {
  readonly headers: CallHeaders
  readonly #apm: UpstreamOptions['apm']
  readonly #span: SpanHandle
  readonly #onClosed: (() => void) | undefined
  #isOpen = true

  constructor({ url, apm, parent, onClosed }: OpenCallOptions) {
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

  /** @returns whether the call was open */
  #close(): boolean {
    const wasOpen = this.#isOpen
    this.#isOpen = false
    if (wasOpen) this.#onClosed?.()
    return wasOpen
  }
}
