import { join } from 'node:path'
import { lastStep } from '../app/steps.ts'
import { toFlags } from '../lib/cli/command-line.ts'
import type { SupervisedProcess } from '../lib/processes/supervise-process.ts'
import { type Stack, startStack as startTuned } from '../stack/stack.ts'
import type { StackOptions } from '../stack/stack-options.ts'

export type { Stack }

/** The options of a stack that name a port. */
export const PORT_OPTIONS = ['port', 'admin-port', 'orders-port', 'apm-agent-port', 'logger-transport-port']

export const FREE_PORTS = PORT_OPTIONS.map(option => `--${option}=0`)

/** Options for the places of log lines, below a directory of the test. */
export const logPlaces = (directory: string) => ({
  logFile: join(directory, 'app.log'),
  logDir: join(directory, 'segments'),
})

/** Flags of a stack that can run beside others: free ports, and files in a directory. */
export const placeFlags = (directory: string): string[] => [
  ...FREE_PORTS,
  ...toFlags({ ...logPlaces(directory), apmSocket: join(directory, 'agent.sock') }),
]

/**
 * The defaults of V8. The flags of a stack (stack/v8-flags.ts) let an app optimize early, which pays in minutes: at its start they
 * cost about 0.4 s of CPU time, which is a third of what a brief test needs.
 */
const appNodeFlags = [
  '--allocation-site-pretenuring',
  '--invocation-count-for-maglev=400',
  '--invocation-count-for-turbofan=3000',
  '--minimum-invocations-after-ic-update=500',
]

/** Starts a stack as `startStack` of `stack/` does, whose app starts faster, and runs slower. For all that judges no speed. */
export const startStack = (options: StackOptions): Promise<Stack> => startTuned({ appNodeFlags, ...options })

/** @throws when the stack has no such process */
export function memberOf(stack: Stack, name: string): SupervisedProcess {
  const found = stack.processes.find(each => each.name === name)
  if (!found) throw new Error(`no process ${name}`)
  return found
}

/** The last step without the concerns that have no influence on answers. */
export const lightest = {
  ...lastStep.composition,
  ...({ compute: 'inline', logging: 'none', apm: 'none', rendering: 'string' } as const),
}
