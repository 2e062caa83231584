import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type GeneratorProcess, startGenerator } from '../../sample/generator-process.ts'
import type { Ledger } from '../../sample/ledger.ts'
import type { ProbeEvent } from '../../sample/probe.ts'
import type { Row, RowCores } from '../../sample/rows.ts'
import type { CoresUse, SampleSettings } from '../../sample/sample.ts'
import { type Subject, startSubject } from '../../sample/subject.ts'
import { findLivePort, type Measured, measureSubject } from '../../sample/take-sample.ts'
import { watchCores } from './cores-use.ts'
import { SlowMotion } from './slow-motion.ts'

/** The time in which a load becomes steady after a change of speed, by the clock of the stack. */
const STEADY_SECONDS = 0.5
/** The length of a window at full speed. A virtual machine changes its speed from second to second, so a shorter one scatters. */
const REAL_SECONDS = 2

let motion: SlowMotion | undefined

/**
 * Makes the control groups, once for this process.
 * @throws UserError when this system, or this user, cannot make them
 */
export function prepareSlowMotion(): SlowMotion {
  motion ??= new SlowMotion()
  return motion
}

/** What a window in slow motion has shown. */
export interface SlowWindow {
  readonly measured: Measured
  readonly use: CoresUse
}

/** What a sample in slow motion consists of. */
interface Parts {
  readonly motion: SlowMotion
  readonly subject: Subject
  readonly generator: GeneratorProcess
  readonly cores: RowCores
  readonly round: number
  readonly settings: SampleSettings
  readonly abort: AbortSignal
}

/**
 * A stack and a load generator whose clocks run as slowly as the cores of the stack. It can be measured in slow motion, and with the
 * same clock at full speed.
 */
export class StackByClock {
  readonly #parts: Parts

  private constructor(parts: Parts) {
    this.#parts = parts
  }

  /** @throws Error when the stack does not start, or answers wrongly */
  static async start(
    row: Row,
    cores: RowCores,
    round: number,
    settings: SampleSettings,
    abort: AbortSignal,
  ): Promise<StackByClock> {
    const motion = prepareSlowMotion()
    const nodeFlags = slowClock(cores.speed)
    const note = `block ${round}: ${row.name}, ${settings.scenario}`
    const livePort = await findLivePort()
    const subject = await startSubject(row, settings, abort, { livePort, note, nodeFlags })
    const generator = startGenerator(abort, nodeFlags)
    return new StackByClock({ motion, subject, generator, cores, round, settings, abort })
  }

  /**
   * Measures a window at full speed.
   * @param loadedSeconds the time under load before it
   * @returns good responses a second of the real clock
   */
  async measureReal(loadedSeconds: number): Promise<number> {
    const { speed } = this.#parts.cores
    const { generated } = await this.#measure(loadedSeconds * speed, REAL_SECONDS * speed)
    const { responses, durationMs } = generated.measurement
    return (responses / durationMs) * 1000 * speed
  }

  /**
   * Slows the stack under its load, and measures a window.
   * @param loadedSeconds the time under load at full speed before
   */
  async measureSlow(loadedSeconds: number, durationSeconds: number): Promise<SlowWindow> {
    const { motion, subject, cores } = this.#parts
    const slowed = subject.stack.processes.filter(({ name }) => name !== 'orders')
    const slowing = setTimeout(() => motion.begin(slowed, cores), loadedSeconds * 1000)
    let read = () => NOTHING_READ
    let use = NOTHING_READ
    try {
      const measured = await this.#measure(
        loadedSeconds * cores.speed + STEADY_SECONDS,
        durationSeconds,
        event => {
          if (event === 'opened') read = watchCores(slowed, cores)
          else use = read()
        },
      )
      return { measured, use }
    } finally {
      clearTimeout(slowing)
      motion.end()
    }
  }

  /** Stops the stack and the load generator. A second call has no effect, and the same result. */
  stop(): Promise<Ledger> {
    const { generator, subject } = this.#parts
    generator.kill()
    return subject.stop()
  }

  /** Times are in seconds of the slow clock. */
  #measure(warmupSeconds: number, durationSeconds: number, onWindow?: (event: ProbeEvent) => void) {
    const { subject, generator, round, abort } = this.#parts
    const settings = { ...this.#parts.settings, warmupSeconds, durationSeconds }
    return measureSubject(subject, round, settings, abort, generator, onWindow)
  }
}

const NOTHING_READ: CoresUse = { all: Number.NaN, threads: [] }

/** Flags of Node.js that let the clock of a process run at this speed. */
function slowClock(speed: number): string[] {
  const file = pathToFileURL(join(import.meta.dirname, 'slow-clock.ts'))
  return ['--import', `${file}?speed=${speed}`]
}
