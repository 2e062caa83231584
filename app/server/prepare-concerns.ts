import { ownFile } from '../../lib/os/own-place.ts'
import { openLogFile } from '../../lib/telemetry/log-file.ts'
import { threadCallsOf } from '../../lib/telemetry/thread-calls.ts'
import type { Apm } from '../concerns/apm/contract.ts'
import type { Composition } from '../concerns.ts'
import type { AppConfig } from '../config.ts'

/** Lets implementations of `apm` that do not record the calls of threads do so, in compositions that are no step. */
export async function lendCalls(apm: Apm, { apm: name, upstream }: Composition): Promise<void> {
  if (upstream !== 'threads' || name !== 'opentelemetry') return
  const { recordCalls } = await import('../concerns/apm/opentelemetry-calls.ts')
  Object.assign(apm, { calls: threadCallsOf(recordCalls()) })
}

const WRITERS: readonly Composition['logging'][] = ['winston', 'pino', 'pino-transport']

/**
 * Becomes the owner of the log file if this process writes it, so that no other app of this machine writes the same one.
 * @throws UserError that names the owner if the file has another
 */
export async function ownLogFile({ logFile }: AppConfig, { logging }: Composition): Promise<void> {
  if (WRITERS.includes(logging)) await ownFile(openLogFile(logFile), 'app', '--log-file')
}
