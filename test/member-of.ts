import type { Stack } from '../stack/stack.ts'
import type { SupervisedProcess } from '../stack/supervise.ts'

/** @throws when the stack has no such process */
export function memberOf(stack: Stack, name: string): SupervisedProcess {
  const found = stack.processes.find(each => each.name === name)
  if (!found) throw new Error(`no process ${name}`)
  return found
}
