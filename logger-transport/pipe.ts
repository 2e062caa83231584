import type { Readable } from 'node:stream'
import { createDelivery, type Delivery } from './deliver.ts'
import type { Metrics } from './metrics.ts'
import { type LogRecord, readPiped } from './record.ts'
import type { Target } from './targets/contract.ts'

const MAX_LINE_CHARS = 1024 * 1024

/**
 * Delivers the lines of a pipe until the pipe ends. While a target takes no lines, nothing is read, and the pipe fills
 * up. There is no checkpoint: when this process dies, lines that were read but not delivered are lost.
 * @param finish is raised when this process is asked to stop. Lines that a target does not take in time are then
 * dropped and counted.
 * @param logDirectory the directory of the dead-letter files
 */
export async function followPipe(
  input: Readable,
  targets: readonly Target[],
  metrics: Metrics,
  finish: AbortSignal,
  logDirectory: string,
): Promise<void> {
  const deliveries = targets.map(target => {
    return { target, delivery: createDelivery(target, metrics, finish, logDirectory) }
  })
  const forward = async (lines: readonly string[]) => {
    const records = lines.map(readPiped)
    await Promise.all(deliveries.map(({ target, delivery }) => forwardTo(target, delivery, records, metrics)))
  }
  let rest = ''
  for await (const chunk of input.setEncoding('utf8')) {
    const lines = `${rest}${chunk}`.split('\n')
    rest = (lines.pop() as string).slice(0, MAX_LINE_CHARS)
    if (lines.length > 0) await forward(lines)
  }
  if (rest) await forward([rest])
  await Promise.all(deliveries.map(({ delivery }) => delivery.close()))
}

async function forwardTo(
  { name }: Target,
  delivery: Delivery,
  records: readonly LogRecord[],
  metrics: Metrics,
): Promise<void> {
  metrics.read.inc({ target: name }, records.length)
  metrics.malformed.inc({ target: name }, records.filter(({ malformed }) => malformed).length)
  if ((await delivery.deliver(records)) === undefined) metrics.dropped.inc({ target: name }, records.length)
}
