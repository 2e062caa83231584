import { join } from 'node:path'
import { toFlags } from '../../lib/cli/command-line.ts'
import { superviseProcess } from '../../lib/processes/supervise-process.ts'
import { nodeFlagsOf } from '../../stack/permissions.ts'
import type { RunningStack } from '../../stack/stack.ts'
import type { SampleSettings } from '../sample/sample.ts'

/**
 * Starts the floor, with the app's flags of V8, as a stack whose only process is measured in place of the app.
 * @param hop whether worker threads make the bodies
 * @throws UserError when it does not start
 */
export async function startFloor(
  hop: boolean,
  { scenario, threads }: Pick<SampleSettings, 'scenario' | 'threads'>,
): Promise<RunningStack> {
  const floor = await superviseProcess({
    name: 'app',
    file: join(import.meta.dirname, 'main.ts'),
    flags: toFlags({ scenario, hop, threads }),
    nodeFlags: nodeFlagsOf('app', {}),
    echo: false,
  })
  return {
    processes: [floor],
    address: (process, server = 'http') =>
      (process === floor.name ? floor.addresses[server] : undefined) as string,
    failed: floor.ended,
    stop: () => floor.stop(),
  }
}
