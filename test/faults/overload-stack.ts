import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { hasEnded } from '../../lib/os/process.ts'
import { parseMachine } from '../../loadtest/sample/machine.ts'
import type { Stack } from '../../stack/stack.ts'
import type { ClientsMessage, ClientsOrder, ClientsReport } from './overload-protocol.ts'

export interface Overloaded extends ClientsReport {
  readonly goodPerSecond: number
  /** Share of the machine's cores that the stack used or could have used: other processes had the rest. Null without /proc. */
  readonly availableShare: number | null
}

/** Puts load on a stack, from a process of its own. */
export async function askStack(
  stack: Stack,
  order: Pick<ClientsOrder, 'load' | 'warmupMs' | 'durationMs'>,
): Promise<Overloaded> {
  const clients = fork(join(import.meta.dirname, 'overload-clients.ts'))
  const { promise, resolve, reject } = Promise.withResolvers<ClientsReport>()
  let watched: (() => number | null) | undefined
  let availableShare: number | null = null
  clients.on('message', (message: ClientsMessage) => {
    if (message.kind === 'opened') watched = watchShare(stack)
    else if (message.kind === 'closed') availableShare = watched?.() ?? null
    else resolve(message.report)
  })
  clients.once('exit', code => reject(new Error(`the clients ended with ${code}`)))
  clients.send({ url: stack.address('app'), scenario: 'demo', ...order } satisfies ClientsOrder)
  try {
    const report = await promise
    return { ...report, goodPerSecond: report.good / report.seconds, availableShare }
  } finally {
    clients.kill('SIGKILL')
    if (!hasEnded(clients)) await once(clients, 'exit')
  }
}

function watchShare(stack: Stack): () => number | null {
  const before = readShare(stack)
  return () => {
    const after = readShare(stack)
    if (!before || !after) return null
    const total = after.total - before.total
    const others = after.busy - before.busy - (after.own - before.own) + after.stolen - before.stolen
    return 1 - Math.max(0, others) / total
  }
}

/** CPU time in ticks of the kernel, since the machine started. */
function readShare({ processes }: Stack) {
  try {
    const own = processes.reduce((sum, { pid }) => sum + readTicks(pid), 0)
    return { ...parseMachine(readFileSync('/proc/stat', 'utf8')), own }
  } catch {
    return null
  }
}

/** User and system time of a process in ticks, see proc_pid_stat(5). */
function readTicks(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ')
  return Number(fields[11]) + Number(fields[12])
}
