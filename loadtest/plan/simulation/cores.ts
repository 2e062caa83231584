import type { Agenda } from './agenda.ts'
import { startStalls } from './stalls.ts'
import { SimulatedThread } from './thread.ts'

/** The slice of a thread, `base_slice` of Linux: longer on a machine of more cores. */
export const sliceMicrosOn = (cores: number): number => 700 * (1 + Math.floor(Math.log2(Math.min(8, cores))))

/** Without a wake-up, threads take turns at a tick only: HZ is 250. */
const TICK_MICROS = 4000

interface CoreOptions {
  /** How long an idle core takes until a thread that was woken runs on it. */
  readonly wakeMicros?: number
  /** The slice of a thread, {@link sliceMicrosOn} the machine. */
  readonly sliceMicros?: number
  /** Share of the time of each core that the host of a virtual machine takes. */
  readonly stealShare?: number
  /** Seed of the moments at which the host takes them. */
  readonly stealSeed?: number
}

interface Core {
  thread: SimulatedThread | null
  /** The end of the slice of the thread: a thread that waits does not take the core before. */
  sliceEndsAtMicros: number
  /** Its thread does what follows a piece of work, such as waking others, and keeps the core meanwhile. */
  isHandingOver: boolean
  /** The host has the core until then: its thread stands still, and stays. */
  stalledUntilMicros: number
  /** Changes whenever the core gets another thread or time: earlier entries of the agenda are then void. */
  turn: number
}

/**
 * Cores that threads share as under Linux (https://docs.kernel.org/scheduler/sched-eevdf.html). Virtual time is CPU time
 * divided by the weight of the nice value. Of the threads that wait, the one runs next that is the first to have had one
 * more slice by virtual time. A thread that wakes begins at the least virtual time of the others, and takes a core at once
 * unless it had more virtual time than the thread that runs there. One that waits may take a core at a tick, once the slice
 * there is over. Unlike under Linux, all cores share one queue, so no core is idle while a thread waits elsewhere.
 *
 * The host of a virtual machine may take a core away. Linux does not know it, so the thread that has the core waits there.
 */
export class Cores {
  readonly agenda: Agenda
  readonly count: number
  readonly #cores: readonly Core[]
  readonly #idle: Core[]
  readonly #waiting = new Set<SimulatedThread>()
  /** The thread that was woken last and found no idle core. */
  #woken: SimulatedThread | null = null
  readonly #wakeMicros: number
  readonly #sliceMicros: number
  /** The least virtual time of all threads that ran lately: a thread that wakes gets no credit for its sleep. */
  #floorMicros = 0

  constructor(
    agenda: Agenda,
    count: number,
    { wakeMicros = 0, sliceMicros = sliceMicrosOn(count), stealShare = 0, stealSeed = 1 }: CoreOptions = {},
  ) {
    this.agenda = agenda
    this.count = count
    this.#wakeMicros = wakeMicros
    this.#sliceMicros = sliceMicros
    this.#cores = Array.from({ length: count }, () => ({
      ...{ thread: null, sliceEndsAtMicros: 0, isHandingOver: false, stalledUntilMicros: 0, turn: 0 },
    }))
    this.#idle = [...this.#cores]
    startStalls(agenda, this.#cores, stealShare, stealSeed, this.#stall.bind(this))
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
    this.#woken = thread
    const core = this.#findMostServed()
    if (core && this.#takesAtOnce(thread, core)) this.#preempt(core)
  }

  #raiseFloor(): void {
    let least = Number.POSITIVE_INFINITY
    for (const core of this.#cores) if (core.thread) least = Math.min(least, this.#virtualOf(core))
    for (const { virtualMicros } of this.#waiting) least = Math.min(least, virtualMicros)
    if (least < Number.POSITIVE_INFINITY) this.#floorMicros = Math.max(this.#floorMicros, least)
  }

  /** Of the cores that could be taken, the one whose thread had the most virtual time. */
  #findMostServed(): Core | null {
    let most: Core | null = null
    for (const core of this.#cores) {
      if (core.isHandingOver || core.stalledUntilMicros > this.agenda.nowMicros) continue
      if (!most || this.#virtualOf(core) > this.#virtualOf(most)) most = core
    }
    return most
  }

  /** Whether a thread that has just been woken takes the core: it is next, and had no more virtual time than the thread there. */
  #takesAtOnce(woken: SimulatedThread, core: Core): boolean {
    return this.#findNext() === woken && woken.virtualMicros <= this.#virtualOf(core)
  }

  #dueOf(core: Core): number {
    return this.#virtualOf(core) + (core.thread?.inVirtualTime(this.#sliceMicros) ?? 0)
  }

  #virtualOf({ thread }: Core): number {
    return thread ? thread.virtualAt(this.agenda.nowMicros) : Number.POSITIVE_INFINITY
  }

  #findNext(): SimulatedThread | null {
    let next: SimulatedThread | null = null
    for (const thread of this.#waiting)
      if (!next || this.#dueOfWaiting(thread) < this.#dueOfWaiting(next)) next = thread
    return next
  }

  /** The virtual time at which a waiting thread will have had one more slice. */
  #dueOfWaiting(thread: SimulatedThread): number {
    return thread.virtualMicros + thread.inVirtualTime(this.#sliceMicros)
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
    const startMicros = Math.max(this.agenda.nowMicros + delayMicros, core.stalledUntilMicros)
    core.thread = thread
    core.sliceEndsAtMicros = startMicros + this.#sliceMicros
    thread.enter(startMicros)
    this.#continue(core)
  }

  /** Waits for the end of the work or for the next tick, whichever comes first. */
  #continue(core: Core): void {
    const thread = core.thread as SimulatedThread
    const turn = ++core.turn
    const now = this.agenda.nowMicros
    const workEnds = thread.endsAtMicros
    const tick = (Math.floor(Math.max(now, core.stalledUntilMicros) / TICK_MICROS) + 1) * TICK_MICROS
    this.agenda.after(Math.min(tick, workEnds) - now, () => {
      if (core.turn !== turn) return
      if (workEnds < tick) this.#endWork(core, thread)
      else if (core.sliceEndsAtMicros <= tick) this.#endSlice(core)
      else this.#continue(core)
    })
  }

  #stall(core: Core, micros: number): void {
    const { nowMicros } = this.agenda
    core.stalledUntilMicros = nowMicros + micros
    if (!core.thread) return
    core.thread.leave(nowMicros)
    core.thread.enter(core.stalledUntilMicros)
    core.sliceEndsAtMicros = Math.max(nowMicros, core.sliceEndsAtMicros) + micros
    this.#continue(core)
  }

  #endSlice(core: Core): void {
    const next = this.#findNext()
    if (next && this.#dueOfWaiting(next) < this.#dueOf(core)) this.#preempt(core)
    else {
      if (next) core.sliceEndsAtMicros = this.agenda.nowMicros + this.#sliceMicros
      this.#continue(core)
    }
  }

  #endWork(core: Core, thread: SimulatedThread): void {
    core.isHandingOver = true
    this.#woken = null
    const goesOn = thread.finishWork(this.agenda.nowMicros)
    core.isHandingOver = false
    if (!goesOn) this.#runNext(core)
    else if (this.#woken && this.#takesAtOnce(this.#woken, core)) this.#preempt(core)
    else this.#continue(core)
  }
}
