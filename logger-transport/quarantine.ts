import { mkdirSync, readdirSync, renameSync, rmSync, statfsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { createComplaint, printable } from '../lib/cli/terminal.ts'
import type { Metrics } from './metrics.ts'
import { isGone, parseDirectoryName, QUARANTINE } from './protocol.ts'
import { Unreadable } from './regular-file.ts'

/** The newest files that are kept there. */
const KEPT = 20
/** A file is set aside only after it was unreadable for this time, because the trouble may pass. */
const PATIENCE_MS = 1000
const MARGIN_MS = 200
/** Errors that tell nothing about a file. */
const OF_THIS_PROCESS = ['EMFILE', 'ENFILE', 'ENOMEM', 'EAGAIN', 'EINTR']

/** Moves files that cannot be read to a directory of their own, or deletes them, so that they hold up nothing else. */
export class Quarantine {
  readonly #directory: string
  readonly #metrics: Pick<Metrics, 'quarantined'>
  readonly #complain = createComplaint()
  /** The times at which files that cannot be read were first met, by their paths. */
  readonly #metAtMs = new Map<string, number>()
  #moved = 0

  constructor(logDirectory: string, metrics: Pick<Metrics, 'quarantined'>) {
    this.#directory = join(logDirectory, QUARANTINE)
    this.#metrics = metrics
  }

  /** Whether a file will soon be set aside, so that others behind it can be read. */
  get isPatient(): boolean {
    const sinceMs = performance.now() - PATIENCE_MS - MARGIN_MS
    return [...this.#metAtMs.values()].some(metAtMs => metAtMs > sinceMs)
  }

  /**
   * Sets a file aside that has been unreadable for a second.
   * @returns whether it was moved; otherwise call this again at the next attempt to read it
   */
  take(path: string, error: unknown): boolean {
    if (isGone(error)) return false
    const { code = '' } = error as NodeJS.ErrnoException
    if (OF_THIS_PROCESS.includes(code)) {
      this.#complain(`logger-transport: ${path} cannot be read (${code}); it waits`)
      return false
    }
    const nowMs = performance.now()
    const metAtMs = this.#metAtMs.get(path) ?? nowMs
    this.#metAtMs.set(path, metAtMs)
    return nowMs - metAtMs >= PATIENCE_MS && this.takeNow(path, error)
  }

  /**
   * Sets a file aside, counts it and names it on stderr. On a disk that is nearly full it is deleted.
   * @returns whether it was moved or deleted
   */
  takeNow(path: string, error: unknown): boolean {
    const why = `logger-transport: ${printable(path)} cannot be read (${printable((error as Error).message)})`
    let fate = 'it is deleted, because the disk is nearly full'
    try {
      if (hasRoom(dirname(this.#directory))) fate = `it is set aside as ${printable(this.#setAside(path))}`
      else rmSync(path, { recursive: true })
    } catch (failure) {
      this.#complain(`${why}, nor moved away (${(failure as Error).message}); it waits`)
      return false
    }
    this.#metAtMs.delete(path)
    this.#metrics.quarantined++
    process.stderr.write(`${why}; ${fate}\n`)
    return true
  }

  /** Moves a file, and removes the oldest. @returns its new path */
  #setAside(path: string): string {
    const name = `${Date.now()}-${++this.#moved}-${basename(dirname(path))}-${basename(path)}`
    mkdirSync(this.#directory, { recursive: true, mode: 0o700 })
    renameSync(path, join(this.#directory, name))
    for (const old of readdirSync(this.#directory).sort().slice(0, -KEPT))
      rmSync(join(this.#directory, old), { recursive: true, force: true })
    return join(this.#directory, name)
  }
}

/**
 * Sets a `writer.json` aside that stays unreadable, and replaces it, so that the lines of the writer are delivered all the same, with
 * its instance as their only resource.
 * @param error why the writer cannot be read
 * @returns whether that was its `writer.json`, and there is another one now
 */
export async function isReplaced(error: unknown, quarantine: Quarantine): Promise<boolean> {
  if (!(error instanceof Unreadable && quarantine.take(error.path, error))) return false
  const { instance } = parseDirectoryName(basename(dirname(error.path)))
  // A living writer may have made its file again by now.
  await writeFile(error.path, JSON.stringify({ resource: { instance } }), { mode: 0o600, flag: 'wx' }).catch(
    () => {},
  )
  return true
}

/** As much as the segments of one writer may take by default. */
const ENOUGH_BYTES = 256 * 2 ** 20
const SHARE = 1 / 4

/**
 * Tells whether a file system has room for what is kept only to be looked at, such as refused lines. A quarter of it, or 256 MiB,
 * is left to lines that are still to be delivered: nothing of what is kept would ever be deleted to make room for them.
 */
export function hasRoom(directory: string): boolean {
  try {
    const { bavail, blocks, bsize } = statfsSync(directory)
    return bavail * bsize >= Math.min(blocks * bsize * SHARE, ENOUGH_BYTES)
  } catch {
    // Whoever writes there is told why it cannot be.
    return true
  }
}
