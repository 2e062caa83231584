export interface Inspector {
  /** The main thread, then the worker threads that ran when the inspector connected. */
  readonly threads: readonly [Conversation, ...Conversation[]]
  /** Resolves once the connection is closed, by us or because the process has ended. */
  readonly closed: Promise<void>
  leaveWorkers(): Promise<void>
  close(): void
}

/**
 * Connects to the inspector of a process and to its worker threads. See https://chromedevtools.github.io/devtools-protocol/v8/
 * and src/inspector/node_protocol.pdl of Node.js.
 * @param url `ws://…`
 * @throws Error when no inspector answers at the URL
 */
export async function connectInspector(url: string): Promise<Inspector> {
  const workers = new Map<string, Conversation>()
  const { promise: closed, resolve: hasClosed } = Promise.withResolvers<void>()
  const socket = new WebSocket(url)
  const opened = new Promise((resolve, reject) => {
    socket.onopen = resolve
    socket.onerror = () => reject(new Error(`no inspector answers at ${url}`))
  })
  socket.onmessage = ({ data }) => {
    const message: Message = JSON.parse(data)
    if (message.method) hear(message.method, message.params as unknown as WorkerEvent)
    else main.receive(message)
  }
  socket.onclose = () => {
    for (const each of [main, ...workers.values()]) each.end()
    hasClosed()
  }
  const main = new Conversation('main', text => socket.send(text))

  function hear(method: string, { sessionId, workerInfo, message }: WorkerEvent): void {
    if (method === 'NodeWorker.attachedToWorker') {
      const transmit = (text: string) =>
        void main.send('NodeWorker.sendMessageToWorker', { sessionId, message: text }).catch(() => {})
      workers.set(sessionId, new Conversation(nameThread(workerInfo.title), transmit))
    } else if (method === 'NodeWorker.receivedMessageFromWorker') {
      workers.get(sessionId)?.receive(JSON.parse(message))
    } else if (method === 'NodeWorker.detachedFromWorker') workers.get(sessionId)?.end()
    // A process that ends waits until nobody inspects it any more.
    else if (method === 'NodeRuntime.waitingForDisconnect') socket.close()
  }

  await opened
  await main.send('NodeRuntime.notifyWhenWaitingForDisconnect', { enabled: true })
  await main.send('NodeWorker.enable', { waitForDebuggerOnStart: false })
  return {
    threads: [main, ...workers.values()],
    closed,
    leaveWorkers: () => main.send('NodeWorker.disable'),
    close: () => socket.close(),
  }
}

/** Each event of NodeWorker has some of these fields. */
interface WorkerEvent {
  readonly sessionId: string
  readonly message: string
  readonly workerInfo: { readonly title: string }
}

/** `[worker 2] render` becomes `render 2`. Threads of a pool may have no name. */
function nameThread(title: string): string {
  const [, id = '', name = ''] = /^\[worker (\d+)\] ?(.*)$/.exec(title) ?? []
  return `${name === 'WorkerThread' || name === '' ? 'worker' : name} ${id}`
}

interface Evaluated {
  readonly result: { readonly value?: unknown; readonly description?: string; readonly objectId?: string }
  readonly exceptionDetails?: { readonly exception?: { readonly description?: string } }
}

interface Message {
  readonly id?: number
  readonly method?: string
  readonly params?: Readonly<Record<string, unknown>>
  readonly result?: unknown
  readonly error?: { readonly message: string }
}

interface Waiting {
  resolve(value: unknown): void
  reject(error: Error): void
}

/** One thread of a process. It sends calls through the inspector, and resolves each with its answer. */
export class Conversation {
  /** `main`, or the name of the worker thread. */
  readonly name: string
  readonly #transmit: (text: string) => void
  readonly #waiting = new Map<number, Waiting>()
  #lastId = 0
  #isGone = false

  constructor(name: string, transmit: (text: string) => void) {
    this.name = name
    this.#transmit = transmit
  }

  /** @throws Error when the inspector refuses the call, or the thread or its process has ended */
  send<T>(method: string, params: object = {}): Promise<T> {
    if (this.#isGone) return Promise.reject(new ThreadGone(this.name))
    return new Promise((resolve, reject) => {
      this.#waiting.set(++this.#lastId, { resolve: resolve as (value: unknown) => void, reject })
      this.#transmit(JSON.stringify({ id: this.#lastId, method, params }))
    })
  }

  /** The value has to be JSON. @throws Error when the call or the expression throws */
  async evaluate<T>(expression: string): Promise<T> {
    return this.#unwrap(await this.send<Evaluated>('Runtime.evaluate', { expression, returnByValue: true }))
      .value as T
  }

  /** `require` is known to the expression. @returns a handle of its value */
  async evaluateHandle(expression: string): Promise<string> {
    const answer = await this.send<Evaluated>('Runtime.evaluate', { expression, includeCommandLineAPI: true })
    return this.#unwrap(answer).objectId as string
  }

  /** Calls a function, given as text, with a handle as its `this`. Its value has to be JSON. */
  async call<T>(objectId: string, functionDeclaration: string): Promise<T> {
    const answer = await this.send<Evaluated>('Runtime.callFunctionOn', {
      objectId,
      functionDeclaration,
      returnByValue: true,
    })
    return this.#unwrap(answer).value as T
  }

  #unwrap({ result, exceptionDetails }: Evaluated) {
    if (exceptionDetails) {
      const text = exceptionDetails.exception?.description ?? result.description
      throw new Error(`the code that watches fails on ${this.name}: ${text}`)
    }
    return result
  }

  receive({ id = 0, result, error }: Message): void {
    const answer = this.#waiting.get(id)
    this.#waiting.delete(id)
    if (error) answer?.reject(new Error(`the inspector of ${this.name}: ${error.message}`))
    else answer?.resolve(result)
  }

  end(): void {
    this.#isGone = true
    for (const answer of this.#waiting.values()) answer.reject(new ThreadGone(this.name))
    this.#waiting.clear()
  }
}

/** A thread, or its process, ended while it was watched. */
export class ThreadGone extends Error {
  constructor(thread: string) {
    super(`${thread} has ended`)
  }
}
