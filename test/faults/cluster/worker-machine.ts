import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { hasEnded } from '../../../lib/os/process.ts'
import { type Machine, type Network, ROUND_TRIP_MS } from './network.ts'

const ROOT = join(import.meta.dirname, '../../..')
/** In the namespace of the machine. */
const RELAY_PORT = 4222

interface Program {
  /** The file that runs on the machine, from the root of the project. */
  readonly file: string
  readonly flags: readonly string[]
  readonly env?: NodeJS.ProcessEnv
}

/** A machine with one worker, which is started again on demand. */
export class WorkerMachine {
  readonly machine: Machine
  readonly #url: string
  readonly #program: Program
  #relay: ChildProcess | undefined
  #worker: ChildProcess | undefined

  /** @param url the server of NATS at the address of the network */
  private constructor(machine: Machine, url: string, program: Program) {
    this.machine = machine
    this.#url = url
    this.#program = program
  }

  /** Resolves when the relay of the machine, if it needs one, takes connections. */
  static async add(network: Network, url: string, program: Program): Promise<WorkerMachine> {
    const added = new WorkerMachine(network.addMachine(), url, program)
    if (!added.machine.isDelayed) await added.#startRelay()
    added.start()
    return added
  }

  start(): void {
    const { file, flags, env } = this.#program
    const url = new URL(this.#url)
    if (this.#relay) url.host = `127.0.0.1:${RELAY_PORT}`
    this.#worker = this.#spawn([file, ...flags], { ...env, DMT_NATS: url.href })
  }

  async kill(): Promise<void> {
    const worker = this.#worker
    if (!worker || hasEnded(worker)) return
    worker.kill('SIGKILL')
    await once(worker, 'exit')
  }

  async close(): Promise<void> {
    await this.kill()
    this.#relay?.kill()
  }

  async #startRelay(): Promise<void> {
    const { hostname, port } = new URL(this.#url)
    const args = [RELAY_PORT, hostname, port, ROUND_TRIP_MS].map(String)
    this.#relay = this.#spawn(['test/faults/cluster/relay.ts', ...args])
    const isListening = once(this.#relay, 'message').then(() => true)
    assert.ok(await Promise.race([isListening, once(this.#relay, 'exit').then(() => false)]), 'no relay')
  }

  #spawn(args: readonly string[], env: NodeJS.ProcessEnv = {}): ChildProcess {
    const [command, ...prefix] = this.machine.prefix as [string, ...string[]]
    return spawn(command, [...prefix, process.execPath, ...args], {
      cwd: ROOT,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    })
  }
}
