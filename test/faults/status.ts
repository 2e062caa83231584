import { formatDuration } from '../../lib/units.ts'

const TICK_MS = 1000
const CLEAR_LINE = '\r\x1b[2K'

/** The progress of a fault on stderr: one changing line on a terminal, one line per message in a pipe. */
export class Status {
  readonly #title: string
  readonly #plannedSeconds: number
  readonly #startedAtMs = performance.now()
  readonly #timer: NodeJS.Timeout | undefined
  #said = ''

  /** @param isAlone whether no other fault uses the terminal, so that the line may be redrawn */
  constructor(title: string, plannedSeconds: number, isAlone: boolean) {
    this.#title = title
    this.#plannedSeconds = plannedSeconds
    if (!process.stderr.isTTY || !isAlone) return
    this.#timer = setInterval(() => this.#draw(), TICK_MS)
    this.#draw()
  }

  say(says: string): void {
    this.#said = says
    if (this.#timer) this.#draw()
    else process.stderr.write(`       ${this.#title}: ${says}\n`)
  }

  /** @returns how long the fault took, in milliseconds */
  end(): number {
    clearInterval(this.#timer)
    if (this.#timer) process.stderr.write(CLEAR_LINE)
    return performance.now() - this.#startedAtMs
  }

  #draw(): void {
    const leftMs = this.#plannedSeconds * 1000 - (performance.now() - this.#startedAtMs)
    const left = leftMs > 0 ? `about ${formatDuration(leftMs)} left` : 'any moment'
    const line = `       ${this.#title}, ${left}${this.#said && `: ${this.#said}`}`
    process.stderr.write(`${CLEAR_LINE}${line.slice(0, (process.stderr.columns || 80) - 1)}`)
  }
}
