import type { SupervisedProcess } from '../lib/processes/supervise-process.ts'
import type { Stack } from '../stack/stack.ts'

/** @throws when the stack has no such process */
export function memberOf(stack: Stack, name: string): SupervisedProcess {
  const found = stack.processes.find(each => each.name === name)
  if (!found) throw new Error(`no process ${name}`)
  return found
}
