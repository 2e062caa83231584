import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

/** The round trip between a machine and the server. */
export const ROUND_TRIP_MS = 1

const run = (command: string, ...args: readonly string[]) =>
  execFileSync(command, args, { stdio: ['ignore', 'pipe', 'pipe'], encoding: 'utf8' })
const tries = (command: string, ...args: readonly string[]) => spawnSync(command, args).status === 0

/** Network namespaces need the commands of iproute2, and root that may make them. */
export function lackForNamespaces(): string | undefined {
  if (!tries('ip', '-V')) return 'there is no command ip'
  const name = `dmt${process.pid}m0`
  if (!tries('ip', 'netns', 'add', name)) return 'it needs root to make network namespaces'
  run('ip', 'netns', 'delete', name)
  return undefined
}

/** A machine is a network namespace, whose cable leads to the bridge. */
export interface Machine {
  readonly name: string
  /** The command in front of a command that runs on it. */
  readonly prefix: readonly string[]
  /** Whether the kernel delays its packets. If not, a relay has to. */
  readonly isDelayed: boolean
  /** Pulls its cable, and plugs it in again. */
  unplug(): void
  plug(): void
}

/**
 * Machines behind a bridge, in namespaces whose names contain the id of this process.
 *
 *     this namespace: app, NATS ── bridge ──┬── cable, 0.5 ms each way ── machine 1: a worker
 *                                           └── …
 */
export class Network {
  /** The address of this machine, to which the others connect. */
  readonly address: string
  readonly #prefix = `dmt${process.pid}`
  readonly #subnet: string
  #machines = 0

  /** The addresses are of the range for benchmarks (RFC 2544). */
  constructor() {
    removeNetworksOfTheDead()
    this.#subnet = `198.18.${process.pid % 256}`
    this.address = `${this.#subnet}.1`
    run('ip', 'link', 'add', this.#prefix, 'type', 'bridge')
    run('ip', 'addr', 'add', `${this.address}/24`, 'dev', this.#prefix)
    run('ip', 'link', 'set', this.#prefix, 'up')
  }

  addMachine(): Machine {
    const number = ++this.#machines
    const name = `${this.#prefix}m${number}`
    const [cable, socket] = [`${this.#prefix}c${number}`, `${this.#prefix}s${number}`]
    const inside = (...args: string[]) => run('ip', 'netns', 'exec', name, 'ip', ...args)
    run('ip', 'netns', 'add', name)
    run('ip', 'link', 'add', cable, 'type', 'veth', 'peer', 'name', socket)
    run('ip', 'link', 'set', socket, 'netns', name)
    run('ip', 'link', 'set', cable, 'master', this.#prefix, 'up')
    inside('addr', 'add', `${this.#subnet}.${number + 1}/24`, 'dev', socket)
    inside('link', 'set', 'lo', 'up')
    inside('link', 'set', socket, 'up')
    const netem = ['root', 'netem', 'delay', `${(ROUND_TRIP_MS * 1000) / 2}us`]
    const isDelayed =
      tries('tc', 'qdisc', 'add', 'dev', cable, ...netem) &&
      tries('ip', 'netns', 'exec', name, 'tc', 'qdisc', 'add', 'dev', socket, ...netem)
    return {
      name,
      prefix: ['ip', 'netns', 'exec', name],
      isDelayed,
      unplug: () => void run('ip', 'link', 'set', cable, 'down'),
      plug: () => void run('ip', 'link', 'set', cable, 'up'),
    }
  }

  close(): void {
    remove(process.pid)
  }
}

/** Removes what a process left behind that was killed. */
function removeNetworksOfTheDead(): void {
  const names = `${run('ip', 'netns', 'list')}\n${run('ip', '-brief', 'link')}`
  const owners = new Set([...names.matchAll(/^dmt(\d+)/gm)].map(([, pid]) => Number(pid)))
  for (const pid of owners) if (!existsSync(`/proc/${pid}`)) remove(pid)
}

/** The end of a namespace takes its cable with it. */
function remove(pid: number): void {
  for (const [name] of run('ip', 'netns', 'list').matchAll(new RegExp(`^dmt${pid}m\\d+`, 'gm')))
    run('ip', 'netns', 'delete', name)
  tries('ip', 'link', 'delete', `dmt${pid}`)
}
