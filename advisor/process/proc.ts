import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { basename } from 'node:path'
import { listChildren, listDescendants, readProcess, watchMachine } from '../../loadtest/sample/machine.ts'

/** Makes a function that reads something of a process in /proc, see proc(5); undefined if the system does not tell. */
const reader =
  <T>(read: (path: string) => T) =>
  (pid: number | 'self', name: string): T | undefined => {
    try {
      return read(`/proc/${pid}/${name}`)
    } catch {
      return undefined
    }
  }
const readText = reader(path => readFileSync(path, 'utf8'))
const readLink = reader(path => readlinkSync(path))
const readNames = reader(path => readdirSync(path))

/** Whether this system tells about processes in /proc. */
export const hasProc = (): boolean => readText('self', 'stat') !== undefined

export const isRunning = (pid: number): boolean => readText(pid, 'stat') !== undefined

/** SIGUSR1 in the mask of /proc/PID/status. */
const SIGUSR1_BIT = 1n << 9n

/** Whether a process handles SIGUSR1. A process that does not is ended by it. */
export function handlesSigusr1(pid: number): boolean {
  const [, mask = '0'] = /^SigCgt:\s*([0-9a-f]+)$/m.exec(readText(pid, 'status') ?? '') ?? []
  return (BigInt(`0x${mask}`) & SIGUSR1_BIT) !== 0n
}

/** Whether a process was started with an inspector, by its command line. */
export const hasInspectorFlag = (pid: number): boolean =>
  /\0--inspect(-brk|-wait)?[=\0]/.test(readText(pid, 'cmdline') ?? '')

/** The port on which the inspector of a process listens, by its flags and NODE_OPTIONS; 9229 unless they say otherwise. */
export function inspectorPort(pid: number): number {
  const flags = ['cmdline', 'environ'].map(name => readText(pid, name) ?? '').join('\0')
  const [, port = 9229] = /--(?:inspect|debug)-port[=\0](?:[^\0 ]*:)?(\d+)/.exec(flags) ?? []
  return Number(port)
}

/** Whether a process shares the network of this one. One in a container listens on ports of its own. */
export const isInThisNetwork = (pid: number): boolean =>
  readLink(pid, 'ns/net') === readLink('self', 'ns/net')

/** Whether the program of a process is Node.js, as far as its name and the names of its threads tell. */
export const isNode = (pid: number): boolean =>
  basename(readLink(pid, 'exe') ?? '').startsWith('node') ||
  (readNames(pid, 'task') ?? []).some(id => /^(node-)?V8Worker/.test(readText(pid, `task/${id}/comm`) ?? ''))

/** The workers of the primary of a cluster: `node:cluster` gives each a number in the environment that it starts with. */
export const clusterWorkers = (primary: number): number[] =>
  listChildren(primary).filter(pid => /(^|\0)NODE_UNIQUE_ID=/.test(readText(pid, 'environ') ?? ''))

/** SCHED_OTHER of sched(7). */
const ORDINARY = '0'

/** Whether the main thread of a process has the ordinary scheduling policy, and more cores than one to run on. */
export function isScheduledFreely(pid: number): boolean {
  const policy = readText(pid, 'stat')?.split(') ').at(-1)?.split(' ')[38]
  return policy === ORDINARY && !/^Cpus_allowed_list:\s*\d+$/m.test(readText(pid, 'status') ?? '')
}

/** Linux counts the CPU time of processes in hundredths of a second, see USER_HZ in time(7). */
const MICROS_PER_TICK = 10_000

/** CPU time of a process and all its descendants, also those that have ended. Null if the system does not tell. */
export function treeMicros(root: number): number | null {
  if (!hasProc()) return null
  const processes = [root, ...listDescendants(root)].flatMap(readProcess)
  return processes.reduce((sum, { ticks, endedTicks }) => sum + ticks + endedTicks, 0) * MICROS_PER_TICK
}

/** CPU time of a process itself; 0 if it has ended. */
const processMicros = (pid: number): number => (readProcess(pid)[0]?.ticks ?? 0) * MICROS_PER_TICK

/** The working directory of a process; undefined if it belongs to somebody else. */
export const directoryOf = (pid: number): string | undefined => readLink(pid, 'cwd')

/** What a process writes to as its stdout; undefined if it belongs to somebody else. */
export function stdoutOf(pid: number): 'pipe' | 'socket' | 'terminal' | 'nothing' | 'file' | undefined {
  const target = readLink(pid, 'fd/1')
  if (target === undefined) return undefined
  const [, kind] = /^(pipe|socket):/.exec(target) ?? []
  if (kind) return kind as 'pipe' | 'socket'
  if (target === '/dev/null') return 'nothing'
  return /^\/dev\/(pts\/|tty|console)/.test(target) ? 'terminal' : 'file'
}

/** The folder that a process sees as `/`. One in a container has files of its own. */
export const rootOf = (pid: number): string => `/proc/${pid}/root`

/** TCP ports on which a process listens. Undefined if the process belongs to somebody else. */
export function listeningPorts(pid: number): number[] | undefined {
  const links = readNames(pid, 'fd')?.map(file => readLink(pid, `fd/${file}`) ?? '')
  if (!links) return undefined
  const inodes = new Set(links.flatMap(link => /^socket:\[(\d+)\]$/.exec(link)?.[1] ?? []))
  const own = listeningSockets(pid).filter(({ inode }) => inodes.has(inode))
  return [...new Set(own.map(({ port }) => port))]
}

/** Whether any process in this network listens on a port. */
export const isListenedOn = (wanted: number): boolean =>
  listeningSockets('self').some(({ port }) => port === wanted)

/** State of a socket that listens, in hexadecimal (TCP_LISTEN in include/net/tcp_states.h of Linux). */
const LISTENING = '0A'

/**
 * The TCP sockets that listen in the network of a process. Below a line of titles, the fields of /proc/net/tcp are: number, local
 * address, remote address, state, …; the tenth is the inode.
 */
const listeningSockets = (pid: number | 'self') =>
  ['tcp', 'tcp6']
    .flatMap(table => (readText(pid, `net/${table}`) ?? '').split('\n').slice(1))
    .map(line => line.trim().split(/\s+/))
    .filter(fields => fields[3] === LISTENING)
    .map(fields => ({
      port: Number.parseInt((fields[1] as string).split(':')[1] as string, 16),
      inode: fields[9] as string,
    }))

/** The cores of this machine, and how many of them were idle in a window. */
export interface Cores {
  readonly count: number
  readonly idle: number
}

/** Starts to watch the cores. @returns a function that tells their use since then; null if the system does not tell */
export function watchCores(): () => Cores | null {
  const readUse = watchMachine([])
  return () => {
    const [use, count] = [readUse(), availableParallelism()]
    // A process that may use some of the cores only has that share of their idle time at most.
    return use && { count, idle: Math.max(0, 1 - use.stealShare - use.othersShare - use.ownShare) * count }
  }
}

/** A process does clearly more than another if it uses this many times its CPU time. */
const CLEARLY_MORE = 2
/** Less CPU time than this is not worth a word; the kernel tells it in hundredths of a second. */
const LEAST_MICROS = 100_000

/** The CPU time of a descendant in one window, and that of the process itself. */
export type Busier = Readonly<Record<'pid' | 'cpuMicros' | 'ownMicros', number>>

/**
 * Begins to watch the CPU time of a process and of those that it has started: a process that listens may only distribute
 * connections or requests.
 * @returns a function that tells which Node.js process among its descendants has since used clearly more CPU time than the
 * process itself; undefined if none has, or the system does not tell
 */
export function watchDescendants(root: number): () => Busier | undefined {
  const before = readTree(root)
  return () => {
    const used = [...readTree(root)]
      .map(([pid, micros]) => ({ pid, cpuMicros: micros - (before.get(pid) ?? 0) }))
      .sort((one, other) => other.cpuMicros - one.cpuMicros)
    const ownMicros = used.find(({ pid }) => pid === root)?.cpuMicros ?? 0
    const busiest = used.find(({ pid }) => pid !== root && isNode(pid))
    const least = Math.max(LEAST_MICROS, CLEARLY_MORE * ownMicros)
    return busiest && busiest.cpuMicros > least ? { ...busiest, ownMicros } : undefined
  }
}

const readTree = (root: number): Map<number, number> =>
  new Map([root, ...listDescendants(root)].map(pid => [pid, processMicros(pid)]))
