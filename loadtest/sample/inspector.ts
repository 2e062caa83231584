/** One thread of a process, reached through the inspector. */
export interface InspectedThread {
  /** `main`, or the name of the worker thread. */
  readonly name: string
  /** @throws Error when the inspector refuses the call, or the thread or its process has ended */
  send<T>(method: string, params?: object): Promise<T>
  /**
   * Evaluates an expression on the thread; its value has to be JSON.
   * @throws Error when `send` or the expression throws
   */
  evaluate<T>(expression: string): Promise<T>
}

export interface Inspector {
  /** The main thread, then the worker threads that ran when the inspector connected. */
  readonly threads: readonly InspectedThread[]
  close(): void
}

interface Message {
  readonly id?: number
  readonly method?: string
  readonly params?: {
    readonly sessionId: string
    readonly message: string
    readonly workerInfo: { title: string }
  }
  readonly result?: unknown
  readonly error?: { readonly message: string }
}

interface Evaluated {
  readonly result: { readonly value?: unknown; readonly description?: string }
  readonly exceptionDetails?: unknown
}

/**
 * Connects to a process that was started with `--inspect`, and to its worker threads. See
 * https://chromedevtools.github.io/devtools-protocol/v8/ and, for NodeWorker, src/inspector/node_protocol.pdl of
 * Node.js.
 * @param url `ws://…`
 * @throws Error when no inspector answers at the URL
 */
export async function connectInspector(url: string): Promise<Inspector> {
  const socket = new WebSocket(url)
  await new Promise<void>((resolve, reject) => {
    socket.addEventListener('open', () => resolve())
    socket.addEventListener('error', () => reject(new Error(`no inspector answers at ${url}`)))
  })
  const main = new Conversation('main', text => socket.send(text))
  const workers = new Map<string, Conversation>()
  const hear: Record<string, (params: NonNullable<Message['params']>) => void> = {
    'NodeWorker.attachedToWorker': ({ sessionId, workerInfo }) =>
      workers.set(
        sessionId,
        new Conversation(
          nameThread(workerInfo.title),
          message => void main.send('NodeWorker.sendMessageToWorker', { sessionId, message }),
        ),
      ),
    'NodeWorker.receivedMessageFromWorker': ({ sessionId, message }) =>
      workers.get(sessionId)?.receive(JSON.parse(message)),
  }
  socket.addEventListener('message', ({ data }) => {
    const message: Message = JSON.parse(data)
    if (message.method && message.params) hear[message.method]?.(message.params)
    else main.receive(message)
  })
  socket.addEventListener('close', () => {
    for (const each of [main, ...workers.values()]) each.end()
  })
  await main.send('NodeWorker.enable', { waitForDebuggerOnStart: false })
  return { threads: [main, ...workers.values()], close: () => socket.close() }
}

/** `[worker 2] render` becomes `render 2`. Threads of a pool may have no name. */
function nameThread(title: string): string {
  const [, id, name = ''] = /^\[worker (\d+)\] ?(.*)$/.exec(title) ?? []
  return `${name === 'WorkerThread' || name === '' ? 'worker' : name} ${id}`
}

/** Sends calls and resolves each with the answer that has its id. */
class Conversation implements InspectedThread {
  readonly name: string
  readonly #transmit: (text: string) => void
  readonly #waiting = new Map<number, PromiseWithResolvers<unknown>>()
  #lastId = 0

  constructor(name: string, transmit: (text: string) => void) {
    this.name = name
    this.#transmit = transmit
  }

  send<T>(method: string, params: object = {}): Promise<T> {
    const answer = Promise.withResolvers<unknown>()
    this.#waiting.set(++this.#lastId, answer)
    this.#transmit(JSON.stringify({ id: this.#lastId, method, params }))
    return answer.promise as Promise<T>
  }

  async evaluate<T>(expression: string): Promise<T> {
    const { result, exceptionDetails } = await this.send<Evaluated>('Runtime.evaluate', {
      expression,
      returnByValue: true,
    })
    if (exceptionDetails) throw new Error(`${expression} throws ${result.description} on ${this.name}`)
    return result.value as T
  }

  receive({ id = 0, result, error }: Message): void {
    const answer = this.#waiting.get(id)
    this.#waiting.delete(id)
    if (error) answer?.reject(new Error(`the inspector of ${this.name}: ${error.message}`))
    else answer?.resolve(result)
  }

  end(): void {
    for (const answer of this.#waiting.values()) answer.reject(new Error(`${this.name} is gone`))
    this.#waiting.clear()
  }
}
