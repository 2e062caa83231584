import pino from 'pino'
import { pinoOptions } from '../../../logger-transport/line-format.ts'
import type { LoggingOptions, LogSink } from './contract.ts'

/** Numbers of lines that a sink has taken, and that never reached the destination. */
export interface LineCounts {
  readonly emitted: number
  readonly dropped: number
}

/**
 * Writes lines with their resource to a destination. After the destination has failed, lines are dropped and counted.
 */
export function writeUntilBroken(
  destination: ReturnType<typeof pino.destination>,
  { resource, lineText }: Pick<LoggingOptions, 'resource' | 'lineText'>,
  onBroken: (error: Error) => void = () => {},
): Pick<LogSink, 'write'> & { counts(): LineCounts; isBroken(): boolean } {
  let emitted = 0
  let dropped = 0
  let isBroken = false
  destination.on('drop', () => dropped++)
  destination.on('error', (error: Error) => {
    if (!isBroken) onBroken(error)
    isBroken = true
  })
  // After a line of level `fatal`, pino calls the `flushSync` of its stream, which blocks this thread as long as a pipe is
  // full. This stream has none.
  const stream = { write: (line: string) => void destination.write(line) }
  const logger = pino({ ...pinoOptions({ lineText }), base: resource }, stream)
  return {
    write(level, message, fields) {
      emitted++
      if (isBroken) dropped++
      else logger[level](fields, message)
    },
    counts: () => ({ emitted, dropped }),
    isBroken: () => isBroken,
  }
}
