import cluster from 'node:cluster'
import { createHash } from 'node:crypto'
import { closeSync, fstatSync, openSync, rmSync, statSync } from 'node:fs'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { UserError } from '../cli/user-error.ts'
import { STACK_DIRECTORY } from '../processes/oversight.ts'

const ANSWER_LIMIT_MS = 1000
const MAX_ANSWER_CHARS = 1000
/** An owner may end between the attempt to become one and the question who it is. */
const ATTEMPTS = 3

interface Owner {
  readonly name: string
  readonly pid: number
  /** The owners of a group share their places: the processes of a stack, the instances of an app. */
  readonly group: string
}

/** A place that one process owns at a time. */
interface Place {
  /** A directory, or a file in a directory that exists. */
  readonly path: string
  readonly isDirectory?: boolean
  /** The name of the process that wants it, for the error of another process. */
  readonly name: string
  /** The option to change in the error. */
  readonly flag: string
}

/**
 * Becomes the owner of a directory or file, until this process ends. Processes of the same stack share it.
 *
 * The lock is a socket to listen on, whose name is made of the device and inode of the directory. On Linux it is abstract:
 * it exists in no file system, only one process can have it, and the kernel closes it however the process ends. The
 * directory stays open as long as the lock is held: otherwise another directory might get its inode once it is removed.
 * Windows has no such socket, and no lock.
 * @throws UserError that names the owner if the place has another
 */
export async function ownPlace(place: Place): Promise<void> {
  const { path, isDirectory } = place
  if (process.platform === 'win32') return
  const directory = open(isDirectory ? path : dirname(path), place)
  const release = () => closeSync(directory)
  try {
    const { dev, ino } = fstatSync(directory, { bigint: true })
    const shared = await become(place, lockName([dev, ino, isDirectory ? '' : basename(path)]))
    // When the process that listens ends, this one does.
    shared?.unref().once('close', () => {
      release()
      ownPlace(place).catch(() => {})
    })
  } catch (error) {
    release()
    throw error
  }
}

/** Becomes the owner of a file that exists. Something like /dev/null has no owner. */
export async function ownFile(path: string, name: string, flag: string): Promise<void> {
  if (statSync(path).isFile()) await ownPlace({ path, name, flag })
}

function open(directory: string, { path, flag }: Place): number {
  try {
    return openSync(directory, 'r')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new UserError(`cannot use ${path} (${code}); choose another with ${flag}`)
  }
}

/** @returns the connection to the owner if it is another process of the same group */
async function become(place: Place, name: string): Promise<Socket | undefined> {
  for (let attempt = 1; ; attempt++) {
    if (await listenAt(name, { name: place.name, pid: process.pid, group: ownGroup() })) return undefined
    const answer = await askOwner(name)
    if (answer?.owner.group === ownGroup()) return answer.socket
    answer?.socket.destroy()
    if (!answer && attempt < ATTEMPTS) {
      // Only sockets in a file system outlive a process that was killed.
      if (name.startsWith('/')) rmSync(name, { force: true })
      continue
    }
    const who = answer
      ? `${answer.owner.name}, process ${answer.owner.pid}, uses it`
      : 'another process uses it'
    throw new UserError(`cannot use ${place.path} (${who}); choose another with ${place.flag}`)
  }
}

function ownGroup(): string {
  return process.env[STACK_DIRECTORY] ?? String(cluster.isWorker ? process.ppid : process.pid)
}

function lockName(parts: readonly (bigint | string)[]): string {
  const key = [process.getuid?.(), ...parts].join(':')
  const name = `dmt-${createHash('sha256').update(key).digest('hex').slice(0, 32)}`
  return process.platform === 'linux' ? `\0${name}` : join(tmpdir(), name)
}

/** @returns whether this process listens now */
function listenAt(path: string, owner: Owner): Promise<boolean> {
  return new Promise(resolve => {
    const server = createServer(socket => {
      socket
        .unref()
        .on('error', () => {})
        .resume()
      socket.write(`${JSON.stringify(owner)}\n`)
    })
    server.once('error', () => resolve(false))
    // `exclusive` keeps the primary of a cluster from listening in place of an instance.
    server.listen({ path, exclusive: true }, () => resolve(true)).unref()
  })
}

/** @returns the owner and the connection to it, which closes when it ends; undefined if nobody answers */
function askOwner(path: string): Promise<{ owner: Owner; socket: Socket } | undefined> {
  return new Promise(resolve => {
    let text = ''
    const socket = connect(path)
    const end = (owner?: Owner) => {
      clearTimeout(limit)
      resolve(owner && { owner, socket })
      if (!owner) socket.destroy()
    }
    const limit = setTimeout(end, ANSWER_LIMIT_MS)
    socket.on('error', () => end()).setEncoding('utf8')
    socket.on('data', chunk => {
      text = `${text}${chunk}`.slice(0, MAX_ANSWER_CHARS)
      if (text.includes('\n')) end(parseOwner(text))
    })
  })
}

function parseOwner(text: string): Owner | undefined {
  try {
    const { name, pid, group } = JSON.parse(text)
    return { name: String(name), pid: Number(pid), group: String(group) }
  } catch {
    return undefined
  }
}
