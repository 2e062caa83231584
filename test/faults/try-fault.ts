import { execFileSync, fork } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { hasEnded } from '../../lib/os/process.ts'
import { formatDuration } from '../../lib/units.ts'
import type { FaultMessage, FaultOrder, Outcome } from './protocol.ts'
import { STEP_VARIABLE } from './protocol.ts'

/**
 * A fault that reports nothing for this much longer than it should take is ended: it waits for something that does not come. On a busy
 * machine each of its parts may take ten times as long as alone.
 */
const HANGS_AFTER_MS = 240_000

/**
 * Runs one fault in a process group and a directory of its own. Processes and files that the fault leaves behind, because
 * it failed or was interrupted, are removed with the group and the directory.
 */
export async function tryFault(
  order: Omit<FaultOrder, 'directory'>,
  progress: (says: string) => void,
  interrupt: AbortSignal,
): Promise<Outcome> {
  const directory = await mkdtemp(join(tmpdir(), 'faults-'))
  const scratch = join(directory, 'tmp')
  await mkdir(scratch)
  const child = fork(join(import.meta.dirname, 'run-fault.ts'), [JSON.stringify({ ...order, directory })], {
    detached: true,
    env: { ...process.env, TMPDIR: scratch, [STEP_VARIABLE]: order.step },
    stdio: ['ignore', 'inherit', 'pipe', 'ipc'],
  })
  let stderr = ''
  child.stderr?.on('data', chunk => {
    stderr = `${stderr}${chunk}`.slice(-2000)
  })
  const limitMs = order.seconds * 1000 + HANGS_AFTER_MS
  let limit: NodeJS.Timeout | undefined
  const killGroup = () => killAll(child.pid as number)
  interrupt.addEventListener('abort', killGroup)
  try {
    return await new Promise<Outcome>(resolve => {
      const says = `it reported nothing for ${formatDuration(limitMs)}`
      limit = setTimeout(() => resolve({ held: false, says }), limitMs)
      child.on('message', (message: FaultMessage) => {
        limit?.refresh()
        if (message.kind === 'progress') progress(message.says)
        else resolve(message.outcome)
      })
      child.once('close', (code, signal) =>
        resolve({ held: false, says: `it ended with ${signal ?? code}: ${stderr}` }),
      )
    })
  } finally {
    clearTimeout(limit)
    interrupt.removeEventListener('abort', killGroup)
    const ended = hasEnded(child) ? undefined : once(child, 'exit')
    killGroup()
    await ended
    unmountBelow(directory)
    await rm(directory, { recursive: true, force: true, maxRetries: 5 })
  }
}

/** Kills all processes of the group, including those that SIGSTOP has stopped. */
function killAll(group: number): void {
  try {
    process.kill(-group, 'SIGKILL')
  } catch {
    // No process of the group is left.
  }
}

function unmountBelow(directory: string): void {
  if (!existsSync('/proc/mounts')) return
  for (const line of readFileSync('/proc/mounts', 'utf8').split('\n')) {
    const mounted = line.split(' ')[1] ?? ''
    if (mounted.startsWith(directory)) execFileSync('umount', ['-l', mounted])
  }
}
