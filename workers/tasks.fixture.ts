import { AsyncLocalStorage } from 'node:async_hooks'
import { appendFileSync } from 'node:fs'
import { logFromTask } from './task-log.ts'
import { tasks as real } from './tasks.ts'

const users = new AsyncLocalStorage<string>()

/** The real tasks, and tasks for tests that fail or leave a trace. */
export const tasks = {
  ...real,
  fail: () => {
    logFromTask('info', 'about to fail')
    throw new Error('on purpose')
  },
  /** Throws an error with a field that JSON cannot contain, so that a message of a process cannot either. */
  failWithBigInt: () => {
    throw Object.assign(new Error('on purpose'), { big: 1n })
  },
  later: async () => 'later',
  /** Enters the context of its user for good, and returns the one that it found. */
  enter: (user: string) => {
    const found = users.getStore() ?? 'nobody'
    users.enterWith(user)
    return found
  },
  throwNoText: () => {
    throw Object.create(null)
  },
  note: (what: string) => logFromTask('info', 'noted', { what }),
  loop: () => {
    for (;;);
  },
  allocate: () => {
    for (const kept: number[][] = []; ; ) kept.push(new Array(1_000_000).fill(kept.length))
  },
  die: () => process.exit(3),
  trace: ({ file, line }: { file: string; line: string }) => {
    appendFileSync(file, `${line}\n`)
    return line
  },
}
