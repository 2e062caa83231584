import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import type { Counts } from '../../lib/processes/protocol.ts'
import { launchCommand } from '../run-command.ts'
import { placeFlags } from '../stack-parts.ts'
import { count, until } from './fault.ts'
import { step } from './protocol.ts'
import { deliveredNumbers, readAll, upTo } from './written-lines.ts'

const CLIENTS = 4
/** Pause between two requests of a client. It is so long that all lines of the longest stop fit into the disk bound. */
const BETWEEN_MS = 20
/** After this many more good answers, the app counts as working again. */
const ANSWERS = 20

export const MOVED = 'the log segments were taken away'

/** Runs `npm start` in a process of its own, under a light load. */
export async function startLoadedStack(directory: string, env: NodeJS.ProcessEnv = {}) {
  const stack = launchCommand('stack/main.ts', [...placeFlags(directory), `--step=${step.name}`], { env })
  const address = async (server: string) =>
    (await stack.line(new RegExp(`^ +${server} `))).split(' ').at(-1) as string
  const [frontPage, admin, transport] = await Promise.all(
    ['try', 'app \\(admin\\)', 'logger-transport \\(http\\)'].map(address),
  )
  const load = startLoad(`${frontPage}log?count=10`)
  await load.answersAgain()
  const pid = stack.child.pid as number
  return {
    load,
    /** Process ids by name; `stack` is the process that started the others. */
    pids: new Map([...childrenOf(pid).map(child => [nameOf(child), child] as const), ['stack', pid]]),
    /** Stops the stack in order and checks that every line was delivered once. @returns the number of lines */
    async finish(): Promise<number> {
      await load.stop()
      const emitted = await settle(admin as string, transport as string)
      stack.child.kill('SIGTERM')
      assert.deepEqual(await stack.ended, [0, null], stack.lines.join('\n'))
      checkLines(directory, emitted)
      assert.ok(!readAll(directory).includes(MOVED), 'a living writer was taken for dead')
      return emitted
    },
  }
}

/** Checks that every line was delivered in order, none is missing and none was delivered twice. */
export function checkLines(directory: string, emitted: number): void {
  const numbers = deliveredNumbers(directory)
  const distinct = new Set(numbers).size
  assert.deepEqual([distinct, numbers.length], [emitted, emitted], `${emitted} emitted; distinct, delivered`)
  assert.deepEqual(numbers, upTo(emitted), 'lines are not in order')
}

/**
 * Waits until all emitted lines are delivered, and checks that none was dropped. @returns the number of emitted lines
 */
async function settle(admin: string, transport: string): Promise<number> {
  let [app, delivered] = await Promise.all([readLines(admin), readLines(transport)])
  await until(async () => {
    ;[app, delivered] = await Promise.all([readLines(admin), readLines(transport)])
    return delivered.delivered === app.emitted
  })
  assert.deepEqual([app.dropped, delivered.dropped], [0, 0], 'lines were dropped')
  return app.emitted as number
}

/** Reads a process's counts of log lines. */
export const readLines = async (url: string) =>
  ((await (await fetch(`${url}/counts`)).json()) as Counts).logLines ?? {}

/** Starts clients that send requests again and again, with a pause in between. */
export function startLoad(url: string) {
  let stopped = false
  let good = 0
  const failed: Record<string, number> = {}
  const loops = Array.from({ length: CLIENTS }, async () => {
    while (!stopped) {
      try {
        const response = await fetch(url)
        await response.arrayBuffer()
        if (response.ok) good++
        else count(failed, String(response.status))
      } catch (error) {
        count(failed, (error as Error & { cause?: NodeJS.ErrnoException }).cause?.code ?? 'no answer')
      }
      await delay(BETWEEN_MS)
    }
  })
  return {
    clients: CLIENTS,
    good: () => good,
    /** Number of requests without a good answer, by the status or error that came instead. */
    failed: failed as Readonly<Record<string, number>>,
    async answersAgain() {
      const before = good
      await until(() => good - before >= ANSWERS)
    },
    async stop() {
      stopped = true
      await Promise.all(loops)
    },
  }
}

export const total = (values: readonly number[]): number => values.reduce((sum, each) => sum + each, 0)

export const childrenOf = (pid: number): number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').map(Number)

/** Returns the folder of a process's main file, which is the name of the process in the stack. */
const nameOf = (pid: number): string =>
  /([a-z-]+)\/main\.ts/.exec(readFileSync(`/proc/${pid}/cmdline`, 'utf8'))?.[1] ?? ''
