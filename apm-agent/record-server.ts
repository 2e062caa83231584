import { writeSync } from 'node:fs'
import { createServer, type Server, type Socket } from 'node:net'
import { createComplaint } from '../lib/cli/terminal.ts'
import { afterRunning } from '../lib/os/running-time.ts'
import { AppInstance, type SpanExport } from './app-instance.ts'
import type { AgentCounts } from './counts.ts'
import { type Frame, FrameReader, ProtocolError, textFrame } from './frames.ts'
import { readHello, readJson, readStrings } from './payloads.ts'
import { frameKinds } from './protocol.ts'
import type { Reporters } from './reporters.ts'

const MAX_CONNECTIONS = 64
/** The time limit for the first frame of a connection, which identifies the app. */
const HELLO_LIMIT_MS = 5000

interface RecordServerOptions {
  readonly reporters: Reporters
  readonly counts: AgentCounts
  /** If absent, the spans of records are only counted. */
  readonly spans?: SpanExport | undefined
  /** Takes the pulses of apps, for the live page. */
  takePulse?(frame: Frame): void
}

interface RecordServer extends Server {
  /** Accepts no more connections and reads no more frames. Acks of the frames that were read are still sent. */
  stopReading(): void
}

/**
 * Receives the records of apps. Malformed values are dropped and counted. A frame that it cannot understand is counted, and its
 * connection is closed with the reason. Closing the server closes all connections; the apps send unacknowledged frames to the next one.
 */
export function createRecordServer(options: RecordServerOptions): RecordServer {
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
    // Acks that were just written are still sent. An app that does not read them does not keep this process alive.
    for (const socket of sockets) socket.unref().destroySoon()
    return close(done)
  }
  const stopReading = () => {
    close()
    for (const socket of sockets) socket.pause()
  }
  return Object.assign(server, { stopReading })
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
      this.#reader.read(chunk, frame => this.#takeOrDrop(frame))
    } catch (error) {
      if (!(error instanceof ProtocolError)) throw error
      this.#refuse(error)
    }
  }

  close(): void {
    const { counts } = this.#options
    counts.connections--
    this.#instance?.acks.senders.delete(this.#acknowledge)
    this.#release?.()
    this.#cancelHelloLimit()
    if (this.#reader.isPartial && !this.#refused) counts.decodeErrors.partial++
  }

  /** A frame with malformed content is dropped and counted, and the connection goes on, once its app is known. */
  #takeOrDrop(frame: Frame): void {
    try {
      this.#take(frame)
    } catch (error) {
      const isOfContent = error instanceof ProtocolError && error.reason === 'content'
      if (!isOfContent || frame.kind === frameKinds.hello) throw error
      this.#countMalformed(1, error.message)
    }
  }

  #countMalformed(count: number, what: string): void {
    if (count === 0) return
    this.#options.counts.decodeErrors.content += count
    this.#complain(`apm-agent: malformed values were dropped: ${what}`)
  }

  #take(frame: Frame): void {
    if (frame.kind === frameKinds.pulse) return this.#takePulse(frame)
    const instance = this.#instance
    if ((frame.kind === frameKinds.hello) === (instance !== undefined))
      throw new ProtocolError('garbage', 'a connection begins with one hello')
    if (!instance) return this.#greet(frame)
    if (frame.kind === frameKinds.strings) return instance.takeStrings(readStrings(frame))
    const { acks } = instance
    if (frame.sequence > acks.received) this.#takeOnce(instance, frame)
    else if (frame.sequence <= acks.acknowledged) this.#answer('ack', frame.sequence)
    if (frame.sequence > acks.acknowledged) this.#answer('received', frame.sequence)
  }

  #acknowledge = (sequence: number): void => this.#answer('ack', sequence)

  #answer(kind: 'ack' | 'received', sequence: number): void {
    if (!this.#socket.destroyed && !answerNow(this.#socket, textFrame(kind, '', sequence)))
      this.#waitForReader()
  }

  /** Every pulse contains the identity of its app, so no hello is needed. */
  #takePulse(frame: Frame): void {
    this.#cancelHelloLimit()
    this.#options.takePulse?.(frame)
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
    const { reporters, spans } = this.#options
    const connected = reporters.connect(hello.resource, () => new AppInstance(hello, spans))
    if (!connected) throw new ProtocolError('limit', 'too many apps report to this apm-agent')
    this.#release = connected.release
    this.#instance = connected.reporter
    this.#instance.acks.senders.add(this.#acknowledge)
  }

  #takeOnce(instance: AppInstance, frame: Frame): void {
    const { counts } = this.#options
    if (frame.kind === frameKinds.records) {
      const settle = instance.acks.take(frame.sequence)
      const { memory, start, end } = frame
      const { records, spans, malformed, malformedSpans } = instance.takeRecords(memory, start, end, settle)
      counts.records += records
      counts.add('spans', 'records', instance.resource.attributes, spans)
      counts.dropped.spans += malformedSpans
      this.#countMalformed(malformed, 'records')
    } else if (frame.kind === frameKinds.points) {
      // A payload that is no list counts as one malformed point.
      const points = [readJson(frame)].flat()
      const taken = instance.measured.takePoints(points)
      const dropped = points.length - taken
      counts.add('metricPoints', 'records', instance.resource.attributes, taken)
      counts.dropped.metricPoints += dropped
      this.#countMalformed(dropped, 'metric points')
      instance.acks.take(frame.sequence)()
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

/**
 * Writes an answer without closing the socket of an app that has just ended: `write` would, and what the app wrote at its end
 * would not be read.
 * @returns false if the app reads more slowly than it is answered, as `write` does
 */
function answerNow(socket: Socket, bytes: Uint8Array): boolean {
  // By its file descriptor, the kernel takes the answer without the queue of the stream.
  const { fd = -1 } = (socket as Socket & { readonly _handle?: { readonly fd?: number } })._handle ?? {}
  if (fd < 0 || socket.writableLength > 0) return socket.write(bytes)
  try {
    const written = writeSync(fd, bytes)
    return written === bytes.length || socket.write(bytes.subarray(written))
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EAGAIN' ? socket.write(bytes) : true
  }
}
