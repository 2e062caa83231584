import { ownFile } from '../../lib/os/own-place.ts'
import { openLogFile } from '../../lib/telemetry/log-file.ts'
import type { Composition } from '../concerns.ts'
import type { AppConfig } from '../config.ts'

const WRITERS: readonly Composition['logging'][] = ['winston', 'pino', 'pino-transport']

/**
 * Becomes the owner of the log file if this process writes it, so that no other app of this machine writes the same one.
 * @throws UserError that names the owner if the file has another
 */
export async function ownLogFile({ logFile }: AppConfig, { logging }: Composition): Promise<void> {
  if (WRITERS.includes(logging)) await ownFile(openLogFile(logFile), 'app', '--log-file')
}
