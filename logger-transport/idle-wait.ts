import { type FSWatcher, watch } from 'node:fs'
import type { Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { WRITER_FILE } from './protocol.ts'
import type { Listing, Writer } from './writers.ts'

/** After this number of polls without anything new, the reader no longer polls. */
const POLLS = 5
/** The longest sleep. A file system that reports no changes delays the first lines after a silence by this time. */
const LONGEST_SLEEP_MS = 5000

/**
 * The sleep of a reader that polls. When it has found nothing new for several polls, it sleeps until a directory changes or a writer
 * ends, so that an idle transport does not wake ten times a second.
 */
export class IdleWait {
  readonly #end: AbortSignal
  #polls = 0
  /** Is aborted at the first change, and ends the watch. */
  #change: AbortController | undefined

  /** @param end ends every sleep */
  constructor(end: AbortSignal) {
    this.#end = end
    end.addEventListener('abort', () => this.#change?.abort(), { once: true })
  }

  /** Call this after each poll of these writers. @param advanced whether it has found something new */
  async sleep(
    advanced: boolean,
    { logDirectory, liveness }: Listing,
    writers: readonly Writer[],
  ): Promise<void> {
    // The poll after the beginning of the watch finds what changed before.
    if (this.#change && !advanced)
      await delay(LONGEST_SLEEP_MS, undefined, { signal: this.#change.signal }).catch(() => {})
    if (advanced || this.#change?.signal.aborted) {
      this.#change?.abort()
      this.#change = undefined
      this.#polls = 0
      return
    }
    if (++this.#polls < POLLS || this.#change || this.#end.aborted) return
    const directories = writers.map(({ directory }) => directory)
    const connections = liveness.connections(directories)
    // A writer that cannot be asked whether it lives is polled.
    if (connections) this.#change = watchForChange([logDirectory, ...directories], connections)
  }
}

/** @returns what is aborted at the first change in a directory, or end of a connection. Abort it to end the watch. */
export function watchForChange(
  directories: readonly string[],
  connections: readonly Socket[],
): AbortController {
  const change = new AbortController()
  const wake = () => change.abort()
  const watchers: FSWatcher[] = []
  change.signal.addEventListener('abort', () => {
    for (const watcher of watchers) watcher.close()
    for (const connection of connections) connection.off('close', wake)
  })
  for (const connection of connections) connection.once('close', wake)
  try {
    for (const directory of directories) {
      const watcher = watch(directory, { persistent: false }, (_event, name) => {
        // A writer without lines touches this file as a sign of life.
        if (name !== WRITER_FILE) wake()
      })
      watchers.push(watcher.on('error', wake))
    }
  } catch {
    // A directory is gone, or the system has no watch left.
    wake()
  }
  return change
}
