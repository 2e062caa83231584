import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { hasEnded } from '../../../lib/os/process.ts'

/** The round trip between a machine and the server. */
const ROUND_TRIP_MS = 1

/** Of the worker: flags, and variables of its environment. */
interface Program {
  readonly flags: readonly string[]
  readonly env?: NodeJS.ProcessEnv
}

/** A machine with one worker, which is started again on demand, behind a cable that can be pulled. */
export class WorkerMachine {
  readonly #url: string
  readonly #program: Program
  readonly #relay: ChildProcess
  #worker: ChildProcess | undefined

  private constructor(relay: ChildProcess, url: string, program: Program) {
    this.#relay = relay
    this.#url = url
    this.#program = program
  }

  /** @param url the server of NATS */
  static async add(
    url: string,
    program: Program = { flags: ['--threads', '1', '--port', '0'] },
  ): Promise<WorkerMachine> {
    const there = new URL(url)
    const relay = run('relay.ts', [there.hostname, there.port, String(ROUND_TRIP_MS)])
    const [port] = await once(relay, 'message')
    there.host = `127.0.0.1:${port}`
    const added = new WorkerMachine(relay, there.href, program)
    added.start()
    return added
  }

  start(): void {
    const { flags, env } = this.#program
    this.#worker = run('../../../workers/remote.ts', flags, { ...env, DMT_NATS: this.#url })
  }

  /** Pulls its cable. */
  unplug(): void {
    this.#relay.kill('SIGSTOP')
  }

  plug(): void {
    this.#relay.kill('SIGCONT')
  }

  async kill(): Promise<void> {
    const worker = this.#worker
    if (!worker || hasEnded(worker)) return
    worker.kill('SIGKILL')
    await once(worker, 'exit')
  }

  async close(): Promise<void> {
    await this.kill()
    this.#relay.kill('SIGKILL')
  }
}

const run = (file: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): ChildProcess =>
  fork(join(import.meta.dirname, file), args, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
