import { type FSWatcher, watch } from 'node:fs'
import type { Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { WRITER_FILE } from './protocol.ts'

/** After this number of polls without anything new, the reader no longer polls. */
const POLLS = 5
/** The longest sleep. A file system that reports no changes delays the first lines after a silence by this time. */
const LONGEST_SLEEP_MS = 5000

/** Everything that can tell a sleeping reader that there is something to do. */
export interface Tellers {
  readonly directories: readonly string[]
  /** Connections to the writers, which close when a writer ends. Undefined if a writer cannot be asked: then it is polled. */
  readonly connections: readonly Socket[] | undefined
}

/**
 * The sleep of a reader that polls. When it has found nothing new for several polls, it sleeps until a directory changes or a writer
 * ends, so that an idle transport does not wake ten times a second.
 */
export class IdleWait {
  readonly #end: AbortSignal
  /** Whether the reader sleeps now. */
  isAsleep = false
  #polls = 0
  #watchers: FSWatcher[] = []
  #change = new AbortController()

  /** @param end ends every sleep */
  constructor(end: AbortSignal) {
    this.#end = end
    end.addEventListener('abort', () => this.#restart(), { once: true })
  }

  /** Call this after each poll. @param advanced whether it has found something new */
  async sleep(advanced: boolean, { directories, connections }: Tellers): Promise<void> {
    if (advanced) return this.#restart()
    if (this.#end.aborted || ++this.#polls < POLLS || !connections) return
    // The next poll finds what changed between the last poll and the beginning of the watch.
    if (this.#watchers.length === 0) return this.#watch(directories, connections)
    this.isAsleep = true
    const signal = AbortSignal.any([this.#end, this.#change.signal])
    await delay(LONGEST_SLEEP_MS, undefined, { signal }).catch(() => {})
    this.isAsleep = false
    if (this.#change.signal.aborted) this.#restart()
  }

  #restart(): void {
    this.#polls = 0
    for (const watcher of this.#watchers.splice(0)) watcher.close()
    this.#change = new AbortController()
  }

  #watch(directories: readonly string[], connections: readonly Socket[]): void {
    const change = this.#change
    const wake = () => change.abort()
    for (const connection of connections) connection.once('close', wake)
    change.signal.addEventListener('abort', () => {
      for (const connection of connections) connection.off('close', wake)
    })
    try {
      for (const directory of directories) {
        const watcher = watch(directory, { persistent: false }, (_event, name) => {
          // A writer without lines touches this file as a sign of life.
          if (name !== WRITER_FILE) wake()
        })
        this.#watchers.push(watcher.on('error', wake))
      }
    } catch {
      // A directory is gone, or the system has no watch left.
      wake()
    }
  }
}
