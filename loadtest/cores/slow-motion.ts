import { readdirSync } from 'node:fs'
import { getPriority } from 'node:os'
import { listDescendants } from '../sample/machine.ts'
import type { SlowCores } from '../sample/rows.ts'
import type { NamedProcess } from '../sample/thread-times.ts'
import { ControlGroups, findController } from './control-groups.ts'

/** Threads that start later share the core of the thread that has started them until they are found. */
const LOOK_MS = 100
/** Linux weighs a thread 1.25 times as much as one with the next nice value. */
const WEIGHT_PER_NICE = 1.25
/** The weight of all that belongs to the load test, so that neighbours take none of its time. */
const WEIGHT_OF_ALL = 100

const CLIENTS = 'clients'
const SLOW = 'slow'

/**
 * Control groups for slow motion. This process and everything that it starts is in `clients`, without a limit; what is slowed is
 * in `slow`, whose quota is that of all cores, each thread in a group with the quota of one core.
 */
export class SlowMotion {
  readonly #groups: ControlGroups
  readonly #placed = new Set<number>()
  #timer: NodeJS.Timeout | undefined

  /** @throws UserError when this system, or this user, cannot make control groups */
  constructor() {
    const { version, own } = findController()
    this.#groups = new ControlGroups(version, own, `slow-motion-${process.pid}`)
    this.#groups.weigh('.', WEIGHT_OF_ALL)
    this.#groups.create(CLIENTS)
    this.#groups.weigh(CLIENTS, WEIGHT_OF_ALL)
    for (const id of listThreadIds(process.pid)) this.#groups.place(CLIENTS, id)
    process.once('exit', () => this.#close())
  }

  /** Slows processes with all their threads, also those that start later. */
  begin(processes: readonly Pick<NamedProcess, 'pid'>[], { cores, ...one }: SlowCores): void {
    const pids = processes.flatMap(({ pid }) => [pid, ...listDescendants(pid)])
    this.#groups.create(SLOW)
    this.#groups.weigh(SLOW, WEIGHT_OF_ALL)
    this.#limit(SLOW, one, cores)
    const look = () => {
      for (const id of pids.flatMap(listThreadIds)) if (!this.#placed.has(id)) this.#slow(id, one)
    }
    look()
    this.#timer = setInterval(look, LOOK_MS).unref()
  }

  /** Gives all threads their full speed back. */
  end(): void {
    clearInterval(this.#timer)
    for (const id of this.#placed) this.#groups.place(CLIENTS, id)
    this.#placed.clear()
    this.#groups.remove(SLOW)
  }

  #slow(id: number, speed: Pick<SlowCores, 'speed' | 'quotaMicros'>): void {
    const path = `${SLOW}/${id}`
    this.#groups.create(path)
    this.#limit(path, speed)
    this.#groups.weigh(path, WEIGHT_PER_NICE ** -niceOf(id))
    this.#groups.place(path, id)
    this.#placed.add(id)
  }

  #limit(path: string, { speed, quotaMicros }: Pick<SlowCores, 'speed' | 'quotaMicros'>, cores = 1): void {
    this.#groups.limit(path, quotaMicros * cores, quotaMicros / speed)
  }

  #close(): void {
    this.end()
    for (const id of listThreadIds(process.pid)) this.#groups.release(id)
    this.#groups.remove()
  }
}

/** The ids of all threads of a process; none when it has ended. */
function listThreadIds(pid: number): number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).map(Number)
  } catch {
    return []
  }
}

/** The nice value of a thread, 0 when it has ended. */
function niceOf(id: number): number {
  try {
    return getPriority(id)
  } catch {
    return 0
  }
}
