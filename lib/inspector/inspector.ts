import { Conversation, type Message } from './conversation.ts'

export interface Inspector {
  /** The main thread, then the worker threads that ran when the inspector connected. */
  readonly threads: readonly [Conversation, ...Conversation[]]
  /** Resolves once the connection is closed, by us or because the process has ended. */
  readonly closed: Promise<void>
  /** Ends the sessions with the worker threads. */
  leaveWorkers(): Promise<void>
  close(): void
}

/**
 * Connects to the inspector of a process and to its worker threads. See
 * https://chromedevtools.github.io/devtools-protocol/v8/ and, for NodeWorker and NodeRuntime, src/inspector/node_protocol.pdl of
 * Node.js.
 * @param url `ws://…`
 * @throws Error when no inspector answers at the URL
 */
export async function connectInspector(url: string): Promise<Inspector> {
  const workers = new Map<string, Conversation>()
  let hasClosed = () => {}
  const closed = new Promise<void>(resolve => {
    hasClosed = resolve
  })
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

/** The fields of the events of NodeWorker; each event has some of them. */
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
