import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { basename } from 'node:path'
import { listDescendants, readProcess } from '../../loadtest/sample/machine.ts'

/** Whether this system tells about processes in /proc, see proc(5). */
export const hasProc = (): boolean => readText('/proc/self/stat') !== undefined

/** SIGUSR1 in the mask of /proc/PID/status. */
const SIGUSR1_BIT = 1n << 9n

/** Whether a process handles SIGUSR1. A process that does not is ended by it. */
export function handlesSigusr1(pid: number): boolean {
  const [, mask = '0'] = /^SigCgt:\s*([0-9a-f]+)$/m.exec(readText(`/proc/${pid}/status`) ?? '') ?? []
  return (BigInt(`0x${mask}`) & SIGUSR1_BIT) !== 0n
}

/** Whether a process was started with an inspector, by its command line. */
export const hasInspectorFlag = (pid: number): boolean =>
  /\0--inspect(-brk|-wait)?[=\0]/.test(readText(`/proc/${pid}/cmdline`) ?? '')

export const isRunning = (pid: number): boolean => readText(`/proc/${pid}/stat`) !== undefined

/** Whether a process shares the network of this one. One in a container listens on ports of its own. */
export const isInThisNetwork = (pid: number): boolean =>
  tryRead(() => readlinkSync(`/proc/${pid}/ns/net`)) === tryRead(() => readlinkSync('/proc/self/ns/net'))

/** Whether the program of a process is Node.js, as far as its name and the names of its threads tell. */
export function isNode(pid: number): boolean {
  if (basename(tryRead(() => readlinkSync(`/proc/${pid}/exe`)) ?? '').startsWith('node')) return true
  const threads = tryRead(() => readdirSync(`/proc/${pid}/task`)) ?? []
  return threads.some(id => /^(node-V8Worker|V8Worker)/.test(readText(`/proc/${pid}/task/${id}/comm`) ?? ''))
}

/**
 * CPU time of a process's main thread since it started, see /proc/PID/schedstat; its first number is nanoseconds. Null if the
 * system does not tell.
 */
export function mainThreadMicros(pid: number): number | null {
  const schedule = readText(`/proc/${pid}/task/${pid}/schedstat`)
  return schedule === undefined ? null : Number(schedule.split(' ')[0]) / 1000
}

/** Linux counts the CPU time of processes in hundredths of a second, see USER_HZ in time(7). */
const MICROS_PER_TICK = 10_000

/** CPU time of a process and all its descendants, also those that have ended. Null if the system does not tell. */
export function treeMicros(root: number): number | null {
  if (!hasProc()) return null
  const processes = [root, ...listDescendants(root)].flatMap(readProcess)
  return processes.reduce((sum, { ticks, endedTicks }) => sum + ticks + endedTicks, 0) * MICROS_PER_TICK
}

/** The working directory of a process; undefined if it belongs to somebody else. */
export const directoryOf = (pid: number): string | undefined =>
  tryRead(() => readlinkSync(`/proc/${pid}/cwd`))

/** The folder that a process sees as `/`. One in a container has files of its own. */
export const rootOf = (pid: number): string => `/proc/${pid}/root`

/** TCP ports on which a process listens. Undefined if the process belongs to somebody else. */
export function listeningPorts(pid: number): number[] | undefined {
  const inodes = socketsOf(pid)
  if (!inodes) return undefined
  const tables = ['tcp', 'tcp6'].map(name => readText(`/proc/${pid}/net/${name}`) ?? '')
  const listening = tables.flatMap(parseListening).filter(({ inode }) => inodes.has(inode))
  return [...new Set(listening.map(({ port }) => port))]
}

function socketsOf(pid: number): Set<string> | undefined {
  const files = tryRead(() => readdirSync(`/proc/${pid}/fd`))
  const links = files?.map(file => tryRead(() => readlinkSync(`/proc/${pid}/fd/${file}`)) ?? '')
  return links && new Set(links.flatMap(link => /^socket:\[(\d+)\]$/.exec(link)?.[1] ?? []))
}

/** State of a socket that listens, in hexadecimal (TCP_LISTEN in include/net/tcp_states.h of Linux). */
const LISTENING = '0A'

/** Reads /proc/net/tcp: number, local address, remote address, state, …; the tenth field is the inode. */
function parseListening(table: string): { port: number; inode: string }[] {
  const rows = table
    .trim()
    .split('\n')
    .slice(1)
    .map(line => line.trim().split(/\s+/))
  return rows
    .filter(fields => fields[3] === LISTENING)
    .map(fields => ({
      port: Number.parseInt(fields[1]?.split(':').at(-1) ?? '', 16),
      inode: fields[9] as string,
    }))
}

function readText(path: string): string | undefined {
  return tryRead(() => readFileSync(path, 'utf8'))
}

function tryRead<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}
