import * as fs from 'node:fs'
import * as promises from 'node:fs/promises'

/** The calls of the file system that a writer makes. Each has its result at once, or a promise of it. */
export interface Files {
  open(path: string, flags: string, mode: number): Soon<OpenFile>
  access(path: string): Soon<void>
  readdir(path: string): Soon<string[]>
  stat(path: string): Soon<{ readonly size: number }>
  rename(from: string, to: string): Soon<void>
  utimes(path: string, accessedAt: Date, modifiedAt: Date): Soon<void>
  writeFile(path: string, text: string, options: { readonly mode: number }): Soon<void>
}

export interface OpenFile {
  write(bytes: Buffer, from: number): Soon<{ readonly bytesWritten: number }>
  truncate(sizeBytes: number): Soon<void>
  close(): Soon<void>
}

type Soon<Result> = Result | Promise<Result>

/** The calls that libuv's pool makes, while the thread goes on. */
export const later: Files = promises

/** The calls that block the thread: others may end it at any time, or nothing runs later because the process ends. */
export const now: Files = {
  open(path, flags, mode) {
    const fd = fs.openSync(path, flags, mode)
    return {
      write: (bytes, from) => ({ bytesWritten: fs.writeSync(fd, bytes, from) }),
      truncate: sizeBytes => fs.ftruncateSync(fd, sizeBytes),
      close: () => fs.closeSync(fd),
    }
  },
  access: path => fs.accessSync(path),
  readdir: path => fs.readdirSync(path),
  stat: path => fs.statSync(path),
  rename: fs.renameSync,
  utimes: fs.utimesSync,
  writeFile: (path, text, options) => fs.writeFileSync(path, text, options),
}

/** Work that is written once for both kinds of calls. It passes the result of each call to `wait`. */
export type Steps<Result> = Generator<unknown, Result, unknown>

export function* wait<Result>(result: Soon<Result>): Steps<Result> {
  return (yield result) as Result
}

export async function runLater<Result>(steps: Steps<Result>): Promise<Result> {
  let step = steps.next()
  while (!step.done) {
    const [settled] = await Promise.allSettled([step.value])
    step = settled.status === 'fulfilled' ? steps.next(settled.value) : steps.throw(settled.reason)
  }
  return step.value
}

/** @param steps whose calls are those of `now` */
export function runNow<Result>(steps: Steps<Result>): Result {
  let step = steps.next()
  while (!step.done) step = steps.next(step.value)
  return step.value
}
