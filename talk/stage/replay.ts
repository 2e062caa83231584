import { setTimeout as delay } from 'node:timers/promises'
import type { Board } from './board.ts'
import type { Second, StageCommand, StageMessage, StageState } from './protocol.ts'
import type { readRecording } from './recording.ts'

/** Plays a recording again and again. A key or a click jumps to the step; a space pauses. */
export class Replay {
  readonly #lines: ReturnType<typeof readRecording>['lines']
  readonly #board: Board
  readonly #starts: ReadonlyMap<number, number>
  #next = 0
  #step: number
  #isPaused = false
  #wake = new AbortController()

  constructor({ setting, lines }: ReturnType<typeof readRecording>, board: Board) {
    this.#lines = lines
    this.#board = board
    this.#starts = startsOf(lines)
    this.#step = setting.steps[0]?.number ?? 0
    board.tell({ kind: 'setting', setting })
  }

  /** Plays until the signal is aborted. */
  async play(signal: AbortSignal): Promise<void> {
    signal.addEventListener('abort', () => this.#wake.abort())
    while (!signal.aborted) {
      const line = this.#lines[this.#next]
      if (!line) {
        this.#jump(0)
        continue
      }
      this.#tell(line.message)
      this.#next++
      const next = this.#lines[this.#next]
      await this.#wait(this.#isPaused ? 2 ** 30 : (next?.atMs ?? line.atMs + 1000) - line.atMs)
    }
  }

  obey(command: StageCommand): void {
    if (command.kind === 'fault') throw new Error('a replay has no processes to break')
    if (command.kind === 'tour') {
      this.#isPaused = !this.#isPaused
      this.#wake.abort()
      return
    }
    const steps = [...this.#starts.keys()].toSorted((one, other) => one - other)
    const wanted = command.kind === 'go' ? command.step : steps[steps.indexOf(this.#step) + command.by]
    const start = wanted === undefined ? undefined : this.#starts.get(wanted)
    if (start === undefined) return
    this.#isPaused = false
    this.#jump(start)
    this.#wake.abort()
  }

  /** Shows at once the state at a line, with all seconds before it. */
  #jump(start: number): void {
    const before = this.#lines.slice(0, start).map(({ message }) => message)
    const last = new Map(before.map(message => [message.kind, message]))
    last.delete('seconds')
    this.#board.clear()
    const seconds: Second[] = before.flatMap(message => (message.kind === 'seconds' ? message.seconds : []))
    this.#tell({ kind: 'seconds', seconds })
    for (const message of last.values()) this.#tell(message)
    this.#next = start
  }

  #tell(message: StageMessage): void {
    if (message.kind === 'state') this.#step = message.state.next ?? message.state.step
    this.#board.tell(message)
  }

  async #wait(ms: number): Promise<void> {
    this.#wake = new AbortController()
    await delay(ms, undefined, { signal: this.#wake.signal }).catch(() => {})
  }
}

/** The line with which each step begins. */
function startsOf(lines: ReturnType<typeof readRecording>['lines']): ReadonlyMap<number, number> {
  const starts = new Map<number, number>()
  const note = ({ step, next }: StageState, index: number) => {
    if (!starts.has(next ?? step)) starts.set(next ?? step, index)
  }
  for (const [index, { message }] of lines.entries()) if (message.kind === 'state') note(message.state, index)
  return starts
}
