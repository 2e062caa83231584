import type { Agenda } from './agenda.ts'
import { SimulatedThread } from './thread.ts'

/**
 * Microseconds that a thread keeps a core while others wait. Linux asks for 1.4 to 2.8 ms (`base_slice`, by the number
 * of cores) and looks at every tick, which is 1 to 4 ms apart.
 */
const SLICE_MICROS = 3000

interface Core {
  thread: SimulatedThread | null
  /** The end of the time in which the thread keeps the core. */
  protectedUntilMicros: number
  /** Changes whenever the core gets another thread or time: earlier entries of the agenda are then void. */
  turn: number
}

/**
 * Cores that threads share as under Linux (https://docs.kernel.org/scheduler/sched-eevdf.html). Virtual time is CPU time
 * divided by the weight of the nice value. Of the threads that wait, the one runs next that is the first to have had one
 * more slice by virtual time. A thread that wakes begins at the least virtual time of the others, and takes the core of
 * a thread that is due later, once the slice of that thread is over. Unlike under Linux, all cores share one queue, so
 * no core is idle while a thread waits elsewhere.
 */
export class Cores {
  readonly agenda: Agenda
  readonly count: number
  readonly #cores: readonly Core[]
  readonly #idle: Core[]
  readonly #waiting = new Set<SimulatedThread>()
  readonly #wakeMicros: number
  /** The least virtual time of all threads that ran lately: a thread that wakes gets no credit for its sleep. */
  #floorMicros = 0

  /** @param wakeMicros how long an idle core takes until a thread that was woken runs on it */
  constructor(agenda: Agenda, count: number, wakeMicros = 0) {
    this.agenda = agenda
    this.count = count
    this.#wakeMicros = wakeMicros
    this.#cores = Array.from({ length: count }, () => ({ thread: null, protectedUntilMicros: 0, turn: 0 }))
    this.#idle = [...this.#cores]
  }

  /** @param nice from 0 to 19, the lowest priority */
  thread(nice = 0): SimulatedThread {
    return new SimulatedThread(nice, thread => this.#wake(thread))
  }

  #wake(thread: SimulatedThread): void {
    this.#raiseFloor()
    thread.virtualMicros = Math.max(thread.virtualMicros, this.#floorMicros)
    const idle = this.#idle.pop()
    if (idle) return this.#run(idle, thread, this.#wakeMicros)
    this.#waiting.add(thread)
    const core = this.#findMostServed()
    if (core) this.#endSlice(core)
  }

  #raiseFloor(): void {
    let least = Number.POSITIVE_INFINITY
    for (const core of this.#cores) if (core.thread) least = Math.min(least, this.#virtualOf(core))
    for (const { virtualMicros } of this.#waiting) least = Math.min(least, virtualMicros)
    if (least < Number.POSITIVE_INFINITY) this.#floorMicros = Math.max(this.#floorMicros, least)
  }

  /** Of the cores whose slice is over, the one whose thread is due last. */
  #findMostServed(): Core | null {
    let most: Core | null = null
    for (const core of this.#cores) {
      if (core.protectedUntilMicros > this.agenda.nowMicros) continue
      if (!most || this.#dueOf(core) > this.#dueOf(most)) most = core
    }
    return most
  }

  #dueOf(core: Core): number {
    return this.#virtualOf(core) + (core.thread?.inVirtualTime(SLICE_MICROS) ?? 0)
  }

  #virtualOf({ thread }: Core): number {
    return thread ? thread.virtualAt(this.agenda.nowMicros) : Number.POSITIVE_INFINITY
  }

  #findNext(): SimulatedThread | null {
    let next: SimulatedThread | null = null
    for (const thread of this.#waiting) if (!next || dueOf(thread) < dueOf(next)) next = thread
    return next
  }

  #preempt(core: Core): void {
    const thread = core.thread as SimulatedThread
    thread.leave(this.agenda.nowMicros)
    this.#waiting.add(thread)
    this.#runNext(core)
  }

  #runNext(core: Core): void {
    core.turn++
    core.thread = null
    const next = this.#findNext()
    if (!next) {
      this.#idle.push(core)
      return
    }
    this.#waiting.delete(next)
    this.#run(core, next, 0)
  }

  #run(core: Core, thread: SimulatedThread, delayMicros: number): void {
    const startMicros = this.agenda.nowMicros + delayMicros
    core.thread = thread
    core.protectedUntilMicros = startMicros + SLICE_MICROS
    thread.enter(startMicros)
    this.#continue(core)
  }

  /** Waits for the end of the work or of the slice, whichever comes first. */
  #continue(core: Core): void {
    const thread = core.thread as SimulatedThread
    const turn = ++core.turn
    const now = this.agenda.nowMicros
    const workEnds = thread.endsAtMicros
    const sliceEnds = core.protectedUntilMicros
    const isSliced = sliceEnds > now && sliceEnds < workEnds
    this.agenda.after((isSliced ? sliceEnds : workEnds) - now, () => {
      if (core.turn !== turn) return
      if (isSliced) this.#endSlice(core)
      else this.#endWork(core, thread)
    })
  }

  #endSlice(core: Core): void {
    const next = this.#findNext()
    if (next && dueOf(next) < this.#dueOf(core)) this.#preempt(core)
    else {
      if (next) core.protectedUntilMicros = this.agenda.nowMicros + SLICE_MICROS
      this.#continue(core)
    }
  }

  #endWork(core: Core, thread: SimulatedThread): void {
    const { protectedUntilMicros } = core
    // The thread keeps its core while it does what follows its work, such as waking others.
    core.protectedUntilMicros = Number.POSITIVE_INFINITY
    const goesOn = thread.finishWork(this.agenda.nowMicros)
    core.protectedUntilMicros = protectedUntilMicros
    if (!goesOn) this.#runNext(core)
    else if (protectedUntilMicros <= this.agenda.nowMicros) this.#endSlice(core)
    else this.#continue(core)
  }
}

/** The virtual time at which a waiting thread will have had one more slice. */
const dueOf = (thread: SimulatedThread) => thread.virtualMicros + thread.inVirtualTime(SLICE_MICROS)
