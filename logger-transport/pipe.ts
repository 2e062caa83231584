import { fstatSync } from 'node:fs'
import { addAbortSignal, type Readable } from 'node:stream'
import { createDelivery, type Delivery } from './deliver.ts'
import type { FollowOptions } from './follow.ts'
import type { TargetCounts } from './metrics.ts'
import { FINISH_LIMIT_MS, STALLED_MS } from './options.ts'
import { hasText } from './protocol.ts'
import { type LogRecord, readPiped } from './record.ts'
import { type Target, TargetGone } from './targets/contract.ts'

const MAX_LINE_CHARS = 1024 * 1024
const READ_LIMIT_MS = FINISH_LIMIT_MS - STALLED_MS

export const pipeUsage = '… | logger-transport [options]'

/** Whether lines come from a pipe on stdin. A shell creates a pipe; on Linux, child_process.spawn creates a pair of sockets instead. */
export function readsPipe(): boolean {
  const stdin = fstatSync(0)
  return stdin.isFIFO() || stdin.isSocket()
}

/**
 * Delivers the lines of a pipe until the pipe ends. While a target takes no lines, nothing is read, and the pipe fills
 * up. It ends when no target is left. There is no checkpoint: when this process dies, lines that were read but not delivered are lost.
 * When this process is asked to stop, the writer, which may be stopping too, has {@link READ_LIMIT_MS} to end the pipe. Lines that a
 * target does not take in time are dropped and counted.
 */
export async function followPipe(input: Readable, options: FollowOptions): Promise<void> {
  const { targets, metrics, finish } = options
  const deliveries = targets.map(target => {
    const counts = metrics.add(target.name)
    return { counts, delivery: createDelivery(withoutWaiting(target), counts, options) }
  })
  const forward = async (lines: readonly string[]) => {
    const records = lines.map(readPiped)
    await Promise.all(deliveries.map(({ counts, delivery }) => forwardTo(delivery, records, counts)))
  }
  let rest = ''
  const limit = limitAfter(finish)
  try {
    for await (const chunk of addAbortSignal(limit, input.setEncoding('utf8'))) {
      const lines = `${rest}${chunk}`.split('\n')
      rest = (lines.pop() as string).slice(0, MAX_LINE_CHARS)
      const whole = lines.filter(hasText)
      if (whole.length > 0) await forward(whole)
      // To end the pipe tells its writer that nobody takes its lines.
      if (deliveries.every(({ delivery }) => delivery.isGivenUp())) break
    }
  } catch (error) {
    if (!limit.aborted) throw error
  }
  if (hasText(rest)) await forward([rest])
}

/** A file system that can only be read may stay so, and the writer of the pipe would wait for ever. */
const withoutWaiting = (target: Target): Target => ({
  ...target,
  deliver: records =>
    target.deliver(records).catch((error: NodeJS.ErrnoException) => {
      throw error.code === 'EROFS' ? new TargetGone(error.message) : error
    }),
})

/** Returns a signal that is raised some time after `finish`. */
function limitAfter(finish: AbortSignal): AbortSignal {
  const limit = new AbortController()
  const begin = () => void setTimeout(() => limit.abort(), READ_LIMIT_MS).unref()
  finish.addEventListener('abort', begin, { once: true })
  return limit.signal
}

async function forwardTo(
  delivery: Delivery,
  records: readonly LogRecord[],
  counts: TargetCounts,
): Promise<void> {
  const rejected = await delivery.deliver(records)
  if (rejected === undefined) counts.lines.dropped += records.length
  else {
    counts.lines.delivered += records.length - rejected
    counts.lines.rejected += rejected
  }
}
