import { existsSync, realpathSync } from 'node:fs'
import type { Values } from '../../lib/cli/options.ts'
import { createConcernOf } from '../concerns/concerns.ts'
import { packageIn } from '../owners/files.ts'
import { createFindOwner } from '../owners/owner-of.ts'
import { pause } from '../process/pause.ts'
import { isRunning, rootOf } from '../process/proc.ts'
import type { Attribution } from '../spectrum/spectrum.ts'
import { type Watched, watchProcess } from '../watching/watch-process.ts'
import { type Subject, type subjectOptions, withSubject } from './subject.ts'

/** A process that is watched, and whose functions can be told apart. */
export type WatchedSubject = Subject & Watched & { readonly attribution: Attribution }

/** Watches a process while `use` runs, see {@link withSubject} and {@link watchProcess}. */
export async function withWatched<T>(
  values: Values<typeof subjectOptions>,
  words: readonly string[],
  abort: AbortSignal,
  use: (subject: WatchedSubject) => Promise<T>,
): Promise<T> {
  // A wrong table is reported before anything is started.
  createConcernOf(values.concerns)
  return withSubject(values, words, abort, async subject => {
    const { pid, load, abort: stop } = subject
    // Worker threads that start under load have to be there when watching begins.
    if (load) await pause(values.warmupMs, stop)
    if (isRunning(pid)) load?.check()
    const tellApart = (watched: Watched) => ({
      findOwner: createFindOwner(watched.directory, rootOf(pid)),
      concernOf: createConcernOf(values.concerns, programOf(watched.script)),
    })
    return watchProcess(
      pid,
      stop,
      watched => use({ ...subject, ...watched, attribution: tellApart(watched) }),
      { keepsCode: values.keepCode, keepsScheduling: values.keepScheduling },
    )
  })
}

/** The package that a script is in; undefined for a script of the service's own. */
const programOf = (script: string) => (existsSync(script) ? packageIn(realpathSync(script)) : undefined)
