import { readdirSync } from 'node:fs'
import { getPriority } from 'node:os'
import { listDescendants } from '../../sample/machine.ts'
import type { RowCores } from '../../sample/rows.ts'
import { ControlGroups, findController, removeStale } from './control-groups.ts'

/** Until they are found, new threads share the core of the thread that has started them. */
const LOOK_MS = 100
/** Linux weighs a thread 1.25 times as much as one with the next nice value. */
const WEIGHT_PER_NICE = 1.25
/** The weight of all that belongs to the load test. Neighbours, who weigh 1, take none of its time. */
const WEIGHT = 250

const CLIENTS = 'clients'
const SLOW = 'slow'
const PREFIX = 'slow-motion-'

type Speed = Pick<RowCores, 'speed' | 'quotaMicros'>

/**
 * This process and everything that it starts is in `clients`, without a limit. What is slowed is in `slow`, whose quota is that
 * of all cores, and there each thread is in a group with the quota of one core.
 */
export class SlowMotion {
  readonly #groups: ControlGroups
  readonly #placed = new Set<number>()
  #timer: NodeJS.Timeout | undefined

  /** @throws UserError when this system, or this user, cannot make control groups */
  constructor() {
    const { version, own } = findController()
    removeStale(own, PREFIX)
    this.#groups = new ControlGroups(version, own, `${PREFIX}${process.pid}`)
    this.#groups.weigh('.', WEIGHT)
    this.#groups.create(CLIENTS)
    this.#groups.weigh(CLIENTS, WEIGHT)
    for (const id of listThreadIds(process.pid)) this.#groups.place(CLIENTS, id)
    process.once('exit', () => this.#close())
  }

  /** Slows processes with all their threads, also those that start later. */
  begin(processes: readonly { readonly pid: number }[], { count, ...speed }: RowCores): void {
    const pids = processes.flatMap(({ pid }) => [pid, ...listDescendants(pid)])
    this.#groups.create(SLOW)
    this.#groups.weigh(SLOW, WEIGHT)
    this.#limit(SLOW, speed, count)
    const look = () => {
      for (const id of pids.flatMap(listThreadIds)) if (!this.#placed.has(id)) this.#slow(id, speed)
    }
    look()
    this.#timer = setInterval(look, LOOK_MS).unref()
  }

  /** Gives all threads their full speed back, also those that have started since the last look. */
  end(): void {
    clearInterval(this.#timer)
    for (const id of this.#groups.members(SLOW)) this.#groups.place(CLIENTS, id)
    this.#placed.clear()
    this.#groups.remove(SLOW)
  }

  #slow(id: number, speed: Speed): void {
    const path = `${SLOW}/${id}`
    this.#groups.create(path)
    this.#limit(path, speed)
    this.#groups.weigh(path, WEIGHT_PER_NICE ** -niceOf(id))
    this.#groups.place(path, id)
    this.#placed.add(id)
  }

  #limit(path: string, { speed, quotaMicros }: Speed, cores = 1): void {
    this.#groups.limit(path, quotaMicros * cores, quotaMicros / speed)
  }

  #close(): void {
    this.end()
    for (const id of listThreadIds(process.pid)) this.#groups.place('..', id)
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
