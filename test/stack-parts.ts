import { join } from 'node:path'
import { lastStep } from '../app/steps.ts'
import { toFlags } from '../lib/cli/command-line.ts'
import type { SupervisedProcess } from '../lib/processes/supervise-process.ts'
import type { Stack } from '../stack/stack.ts'

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
