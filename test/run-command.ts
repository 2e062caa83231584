import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import type { TestContext } from 'node:test'
import { until } from './faults/fault.ts'

const ROOT = join(import.meta.dirname, '..')

/**
 * Variables that a shell may have for other programs, with the names of our options. Every command of a test gets them,
 * and must not read them.
 */
const foreign = { HOST: 'x', LOAD: 'y', STEP: 'z', THREADS: '0', PORT: '1' }

export type CommandLine = readonly [file: string, ...args: string[]]

export interface Outcome {
  readonly stdout: string
  readonly stderr: string
  /** null after a signal. */
  readonly code: number | null
}

/** Runs a command of the project to its end. */
export async function runCommand(
  file: string,
  flags: readonly string[],
  env: NodeJS.ProcessEnv = {},
): Promise<Outcome> {
  const child = start(file, flags, env)
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ])
  return { stdout, stderr, code }
}

/**
 * Runs command lines one after the other in one process, which takes about as long as one of them: mostly it loads modules. Of
 * each kind of outcome some test has to call `runCommand`, which sees the streams and the exit code of a real process.
 */
export async function runCommandLines(lines: readonly CommandLine[]): Promise<readonly Outcome[]> {
  const { stdout, stderr, code } = await runCommand('test/command-lines.fixture.ts', [JSON.stringify(lines)])
  assert.equal(code, 0, stderr)
  return JSON.parse(stdout)
}

interface LaunchOptions {
  readonly env?: NodeJS.ProcessEnv
  /** Starts the command as the first process of its own process group. */
  readonly detached?: boolean
}

/** Starts a command, collects the lines it writes to stderr, and ends it with the test. */
export function startCommand(
  t: TestContext,
  file: string,
  flags: readonly string[],
  options: LaunchOptions = {},
) {
  const launched = launchCommand(file, flags, options)
  t.after(async () => {
    launched.child.kill('SIGKILL')
    await launched.ended
  })
  return launched
}

/** Starts a command as `startCommand` does, but the caller has to end it. */
export function launchCommand(
  file: string,
  flags: readonly string[],
  { env, ...options }: LaunchOptions = {},
) {
  const child = start(file, flags, env, options)
  const lines: string[] = []
  const reader = createInterface({ input: child.stderr }).on('line', line => lines.push(line))
  const ended = once(child, 'exit')
  return {
    child: child as ChildProcess,
    lines,
    ended,
    /** Waits for the first line that matches, or finds it among earlier ones. Rejects if the command ends without one. */
    async line(pattern: RegExp): Promise<string> {
      for (;;) {
        const found = lines.find(line => pattern.test(line))
        if (found) return found
        const [event] = await Promise.race([once(reader, 'line'), ended.then(() => [undefined])])
        if (event === undefined) throw new Error(`ended without a line like ${pattern}:\n${lines.join('\n')}`)
      }
    },
  }
}

function start(
  file: string,
  flags: readonly string[],
  env: NodeJS.ProcessEnv = {},
  options: { readonly detached?: boolean } = {},
) {
  return spawn(process.execPath, [file, ...flags], {
    cwd: ROOT,
    env: { ...process.env, ...foreign, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...options,
  })
}

/** The processes that this process has started, and that run. */
export const childrenOf = (pid: number): number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number)

/** Resolves once the process has ended. */
export const gone = (pid: number): Promise<void> => until(() => !isRunning(pid))

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch {
    return false
  }
  try {
    // In a container an ended process can stay as a zombie, because no parent collects it.
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return true
  }
}
