import { once } from 'node:events'
import { chmod, mkdir, stat, unlink } from 'node:fs/promises'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { dirname } from 'node:path'
import { createComplaint } from '../lib/complaint.ts'
import { UserError } from '../lib/user-error.ts'
import { AppInstance, type TakeSpan } from './app-instance.ts'
import type { AgentCounts } from './counts.ts'
import { type Frame, FrameReader, ProtocolError, textFrame } from './frames.ts'
import { frameKinds, type Hello, type MetricPoint, type StringsPayload } from './protocol.ts'
import type { Reporters } from './reporters.ts'

const MAX_CONNECTIONS = 64
/** A connection says who it is within this time. */
const HELLO_LIMIT_MS = 5000

interface RecordServerOptions {
  readonly reporters: Reporters
  readonly counts: AgentCounts
  readonly takeSpan: TakeSpan | undefined
}

/**
 * Takes the records of apps. What it cannot understand is counted, answered with the reason, and disconnected. When it is
 * closed, so is every connection: what was not acked is sent again to the next.
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
    // Whoever is gone needs no answer.
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
  readonly #helloLimit: NodeJS.Timeout
  #instance: AppInstance | undefined
  #refused = false

  constructor(socket: Socket, options: RecordServerOptions, complain: (line: string) => void) {
    this.#socket = socket
    this.#options = options
    this.#complain = complain
    options.counts.connections++
    this.#helloLimit = setTimeout(() => socket.destroy(), HELLO_LIMIT_MS)
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
    clearTimeout(this.#helloLimit)
    if (this.#reader.isPartial && !this.#refused) counts.decodeErrors.partial++
  }

  #take(frame: Frame): void {
    const instance = this.#instance
    if ((frame.kind === frameKinds.hello) === (instance !== undefined))
      throw new ProtocolError('garbage', 'a connection begins with one hello')
    if (!instance) return this.#greet(frame)
    this.#options.reporters.touch(instance)
    if (frame.kind === frameKinds.strings) return instance.takeStrings(readStrings(frame))
    const again = frame.sequence <= instance.lastSequence
    if (again) this.#options.counts.repeatedFrames++
    else this.#takeOnce(instance, frame)
    instance.lastSequence = Math.max(instance.lastSequence, frame.sequence)
    if (!this.#socket.write(textFrame('ack', '', frame.sequence))) this.#waitForReader()
  }

  /** Who does not read its acks is not read from either: they would pile up here. */
  #waitForReader(): void {
    this.#socket.pause()
    this.#socket.once('drain', () => this.#socket.resume())
  }

  #greet(frame: Frame): void {
    clearTimeout(this.#helloLimit)
    const hello = readHello(frame)
    const { reporters, takeSpan } = this.#options
    this.#instance = reporters.find(hello.resource, () => new AppInstance(hello, takeSpan))
    if (!(this.#instance instanceof AppInstance))
      throw new ProtocolError('limit', 'too many apps report to this apm-agent')
  }

  #takeOnce(instance: AppInstance, frame: Frame): void {
    const { counts } = this.#options
    if (frame.kind === frameKinds.records) {
      const { records, spans, malformed } = instance.takeRecords(frame.memory, frame.start, frame.end)
      counts.records += records
      counts.spans.records += spans
      counts.decodeErrors.content += malformed
    } else if (frame.kind === frameKinds.points) {
      counts.metricPoints.records += instance.takePoints(readPoints(frame))
    } else throw new ProtocolError('garbage', `there is no frame of kind ${frame.kind}`)
  }

  /** What comes after it is not read. */
  #refuse({ reason, message }: ProtocolError): void {
    this.#refused = true
    this.#options.counts.decodeErrors[reason]++
    this.#complain(`apm-agent: a connection was refused: ${message}`)
    this.#socket.removeAllListeners('data').resume()
    this.#socket.end(textFrame('refused', message))
    setTimeout(() => this.#socket.destroy(), HELLO_LIMIT_MS).unref()
  }
}

function readHello(frame: Frame): Hello {
  const { resource, timeOriginMs } = readJson(frame) as Partial<Hello>
  if (!isPlainObject(resource) || !Number.isFinite(timeOriginMs))
    throw new ProtocolError('content', 'hello has a resource and a timeOriginMs')
  return { resource: resource as Hello['resource'], timeOriginMs: timeOriginMs as number }
}

function readStrings(frame: Frame): StringsPayload {
  const { firstId, strings } = readJson(frame) as Partial<StringsPayload>
  if (
    !Number.isInteger(firstId) ||
    !Array.isArray(strings) ||
    !strings.every(each => typeof each === 'string')
  )
    throw new ProtocolError('content', 'strings have a firstId and are strings')
  return { firstId: firstId as number, strings }
}

function readPoints(frame: Frame): MetricPoint[] {
  const points = readJson(frame)
  if (!Array.isArray(points) || !points.every(isPoint))
    throw new ProtocolError(
      'content',
      'points are a list of signals with a value and attributes that are text',
    )
  return points
}

const isPoint = (given: unknown): given is MetricPoint =>
  isPlainObject(given) &&
  typeof given.signal === 'string' &&
  typeof given.value === 'number' &&
  (given.attributes === undefined || isTexts(given.attributes))

const isTexts = (given: unknown): boolean =>
  isPlainObject(given) && Object.values(given).every(value => typeof value === 'string')

function readJson({ memory, start, end }: Frame): unknown {
  try {
    return JSON.parse(memory.bytes.toString('utf8', start, end)) ?? {}
  } catch {
    throw new ProtocolError('content', 'the payload is no JSON')
  }
}

const isPlainObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * Listens on a Unix socket that only this user may connect to; its directory is made when it is missing.
 * @throws UserError when another process listens there, or the path cannot be used
 */
export async function listenOnSocket(server: Server, path: string): Promise<void> {
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    await removeStale(path)
    // The socket is made with the mode that the mask leaves, so that there is no moment when others may connect.
    const mask = process.umask(0o177)
    try {
      server.listen(path)
      await once(server, 'listening')
    } finally {
      process.umask(mask)
    }
    await chmod(path, 0o600)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new UserError(`cannot listen on ${path} (${code}); choose another with --apm-socket`)
  }
}

/** Removes the socket of an agent that is gone, and nothing else. */
async function removeStale(path: string): Promise<void> {
  const found = await stat(path).catch(() => undefined)
  if (!found) return
  if (!found.isSocket()) throw Object.assign(new Error(), { code: 'it exists and is no socket' })
  if (await isAlive(path)) throw Object.assign(new Error(), { code: 'EADDRINUSE' })
  await unlink(path)
}

function isAlive(path: string): Promise<boolean> {
  return new Promise(resolve => {
    const socket = connect(path)
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
}
