import { joinStack } from '../../../lib/processes/join-stack.ts'
import type { AppConfig } from '../../config.ts'
import { warnWithoutUpstream } from '../upstream-warning.ts'
import { startInstances } from './primary.ts'

/** Runs the app as several instances, until it is stopped or an instance is given up. */
export async function runInstances(config: AppConfig): Promise<void> {
  const { addresses, close, failed } = await startInstances(config)
  const stop = joinStack({ name: 'app', addresses, close })
  warnWithoutUpstream(config.ordersUrl)
  process.stderr.write(`error: ${await failed}; the app is stopped\n`)
  process.exitCode = 1
  await stop()
}
