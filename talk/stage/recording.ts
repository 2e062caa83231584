import { readFileSync } from 'node:fs'
import { UserError } from '../../lib/cli/user-error.ts'
import { saveFile } from '../../lib/os/save-file.ts'
import type { StageMessage, StageSetting } from '../../screen/stage-messages.ts'

/** A line of a recording: a message and its time since the start, in milliseconds. The first message is the setting. */
interface Line {
  readonly atMs: number
  readonly message: StageMessage
}

/** Threads are recorded less often than they are shown, so that a recording stays small. */
const THREADS_INTERVAL_MS = 1000

/** Records the messages of a tour, in memory until it is saved. */
export class Recording {
  readonly #startedAtMs = performance.now()
  readonly #lines: Line[] = []
  #threadsAtMs = Number.NEGATIVE_INFINITY

  add(message: StageMessage): void {
    const atMs = Math.round(performance.now() - this.#startedAtMs)
    if (message.kind === 'update') {
      if (atMs < this.#threadsAtMs + THREADS_INTERVAL_MS) return
      this.#threadsAtMs = atMs
    }
    this.#lines.push({ atMs, message })
  }

  /** @throws UserError when the file cannot be written */
  save(file: string): void {
    saveFile(file, this.#lines.map(line => `${JSON.stringify(line)}\n`).join(''))
  }
}

export interface Recorded {
  readonly setting: StageSetting
  readonly lines: readonly Line[]
}

/** Reads a recording. @throws UserError when the file cannot be read, or is no recording */
export function readRecording(file: string): Recorded {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    throw new UserError(`cannot read ${file} (${(error as NodeJS.ErrnoException).code})`)
  }
  try {
    const lines: Line[] = text
      .trimEnd()
      .split('\n')
      .map(line => JSON.parse(line))
    const [first] = lines
    if (first?.message.kind !== 'setting') throw new SyntaxError('no setting')
    return { setting: { ...first.message.setting, isReplay: true }, lines: lines.slice(1) }
  } catch {
    throw new UserError(`${file} is no recording of npm run stage`)
  }
}
