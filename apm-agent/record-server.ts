import { createServer, type Server, type Socket } from 'node:net'
import { createComplaint } from '../lib/complaint.ts'
import { afterRunning } from '../lib/running-time.ts'
import { AppInstance, type TakeSpan } from './app-instance.ts'
import type { AgentCounts } from './counts.ts'
import { type Frame, FrameReader, ProtocolError, textFrame } from './frames.ts'
import type { Live } from './live/live.ts'
import { readHello, readPoints, readPulse, readStrings } from './payloads.ts'
import { frameKinds } from './protocol.ts'
import type { Reporters } from './reporters.ts'

const MAX_CONNECTIONS = 64
/** The time limit for the first frame of a connection, which identifies the app. */
const HELLO_LIMIT_MS = 5000

interface RecordServerOptions {
  readonly reporters: Reporters
  readonly counts: AgentCounts
  readonly takeSpan: TakeSpan | undefined
  readonly live: Live
}

/**
 * Receives the records of apps. Frames that it cannot understand are counted, answered with the reason, and the
 * connection is closed. Closing the server closes every connection; the apps then send unacknowledged frames again to
 * the next server.
 */
export function createRecordServer(options: RecordServerOptions): Server {
  const complain = createComplaint()
  const sockets = new Set<Socket>()
  const server = createServer(socket => {
    const connection = new Connection(socket, options, complain)
    sockets.add(socket)
    socket.on('data', chunk => connection.read(chunk as Buffer))
    socket.once('close', () => {
      sockets.delete(socket)
      connection.close()
    })
    // A client that has gone needs no answer.
    socket.on('error', () => {})
  })
  server.maxConnections = MAX_CONNECTIONS
  const close = server.close.bind(server)
  server.close = done => {
    for (const socket of sockets) socket.destroy()
    return close(done)
  }
  return server
}

class Connection {
  readonly #socket: Socket
  readonly #options: RecordServerOptions
  readonly #complain: (line: string) => void
  readonly #reader = new FrameReader()
  readonly #cancelHelloLimit: () => void
  #instance: AppInstance | undefined
  #release: (() => void) | undefined
  #refused = false

  constructor(socket: Socket, options: RecordServerOptions, complain: (line: string) => void) {
    this.#socket = socket
    this.#options = options
    this.#complain = complain
    options.counts.connections++
    this.#cancelHelloLimit = afterRunning(HELLO_LIMIT_MS, () => socket.destroy())
  }

  read(chunk: Buffer): void {
    try {
      this.#reader.read(chunk, frame => this.#take(frame))
    } catch (error) {
      if (!(error instanceof ProtocolError)) throw error
      this.#refuse(error)
    }
  }

  close(): void {
    const { counts } = this.#options
    counts.connections--
    this.#release?.()
    this.#cancelHelloLimit()
    if (this.#reader.isPartial && !this.#refused) counts.decodeErrors.partial++
  }

  #take(frame: Frame): void {
    if (frame.kind === frameKinds.pulse) return this.#takePulse(frame)
    const instance = this.#instance
    if ((frame.kind === frameKinds.hello) === (instance !== undefined))
      throw new ProtocolError('garbage', 'a connection begins with one hello')
    if (!instance) return this.#greet(frame)
    if (frame.kind === frameKinds.strings) return instance.takeStrings(readStrings(frame))
    const again = frame.sequence <= instance.lastSequence
    if (again) this.#options.counts.repeatedFrames++
    else this.#takeOnce(instance, frame)
    instance.lastSequence = Math.max(instance.lastSequence, frame.sequence)
    if (!this.#socket.write(textFrame('ack', '', frame.sequence))) this.#waitForReader()
  }

  /** Every pulse contains the identity of its app, so no hello is needed. */
  #takePulse(frame: Frame): void {
    this.#cancelHelloLimit()
    this.#options.live.take(readPulse(frame))
  }

  /**
   * Stops reading from a client that does not read its acknowledgements, which would otherwise pile up here
   * (backpressure).
   */
  #waitForReader(): void {
    this.#socket.pause()
    this.#socket.once('drain', () => this.#socket.resume())
  }

  #greet(frame: Frame): void {
    this.#cancelHelloLimit()
    const hello = readHello(frame)
    const { reporters, takeSpan } = this.#options
    const connected = reporters.connect(hello.resource, () => new AppInstance(hello, takeSpan))
    this.#release = connected?.release
    this.#instance = connected?.reporter
    if (!(this.#instance instanceof AppInstance))
      throw new ProtocolError('limit', 'too many apps report to this apm-agent')
  }

  #takeOnce(instance: AppInstance, frame: Frame): void {
    const { counts } = this.#options
    if (frame.kind === frameKinds.records) {
      const { records, spans, malformed } = instance.takeRecords(frame.memory, frame.start, frame.end)
      counts.records += records
      counts.add('spans', 'records', instance.resource.attributes, spans)
      counts.decodeErrors.content += malformed
    } else if (frame.kind === frameKinds.points) {
      const points = instance.takePoints(readPoints(frame))
      counts.add('metricPoints', 'records', instance.resource.attributes, points)
    } else throw new ProtocolError('garbage', `there is no frame of kind ${frame.kind}`)
  }

  /** Closes the connection with the reason; further frames are not read. */
  #refuse({ reason, message }: ProtocolError): void {
    this.#refused = true
    this.#options.counts.decodeErrors[reason]++
    this.#complain(`apm-agent: a connection was refused: ${message}`)
    this.#socket.removeAllListeners('data').resume()
    this.#socket.end(textFrame('refused', message))
    setTimeout(() => this.#socket.destroy(), HELLO_LIMIT_MS).unref()
  }
}
