import { execFileSync } from 'node:child_process'
import type { Profiler } from 'node:inspector'
import type { Stack } from '../../stack/stack.ts'
import { readCores } from '../sample/cores.ts'
import { listDescendants } from '../sample/machine.ts'
import { INSPECTED, type Probe } from '../sample/subject.ts'
import { listThreads } from '../sample/threads.ts'
import { type Conversation, connectInspector, type Inspector } from './inspector.ts'

/** V8's name for the threads that take samples. */
const SAMPLING_THREAD = 'v8:ProfEvntProc'

/** Lets threads and processes run only when nothing else needs their core (SCHED_IDLE), where Linux and util-linux can. */
function giveWay(processIds: readonly number[], threadIds: readonly number[]): void {
  for (const id of processIds) tryRun('chrt', ['--all-tasks', '--idle', '--pid', '0', String(id)])
  for (const id of threadIds) tryRun('chrt', ['--idle', '--pid', '0', String(id)])
}

/**
 * Pins a profiled main thread and the threads that sample it to cores of their own. On the same core, a sampling thread mostly
 * runs when the main thread sleeps: on two busy cores, a third of the JavaScript was missed.
 */
function separate(pid: number): void {
  const [mainCore, ...otherCores] = readCores(pid)
  if (mainCore === undefined || otherCores.length === 0) return
  for (const id of listThreads(pid, SAMPLING_THREAD)) {
    tryRun('chrt', ['--other', '--pid', '0', String(id)])
    tryRun('taskset', ['--cpu-list', '--pid', otherCores.join(), String(id)])
  }
  tryRun('taskset', ['--cpu-list', '--pid', String(mainCore), String(pid)])
}

/** A profile can be taken without pinning too; `unattributed` then says how much it missed. */
function tryRun(command: string, args: readonly string[]): void {
  try {
    execFileSync(command, args, { stdio: 'ignore' })
  } catch {
    // The profile is taken as it is.
  }
}

export interface ThreadProfile {
  readonly thread: string
  readonly profile: Profiler.Profile
  readonly cpuMicros: number
}

const INTERVAL_MICROS = 1000

/**
 * Runs V8's sampling profiler on every thread of the app that runs JavaScript, while the window is open. All others give way to
 * the main thread meanwhile.
 */
export function createProfiler() {
  let pid: number
  let inspector: Inspector | undefined
  let threads: readonly Conversation[]
  let workerIds: readonly number[]
  let before: readonly number[]
  const profiles: ThreadProfile[] = []
  const probe: Probe = {
    appNodeFlags: INSPECTED,
    async attach(stack: Stack) {
      pid = stack.processes.find(({ name }) => name === 'app')?.pid as number
      inspector = await connectInspector(stack.address('app', 'inspector'))
      threads = inspector.threads
      workerIds = await Promise.all(threads.slice(1).map(thread => thread.evaluate<number>(FIND_ID)))
    },
    async opened() {
      giveWay(
        listDescendants().filter(id => id !== pid),
        workerIds,
      )
      before = await Promise.all(threads.map(start))
      separate(pid)
    },
    async closed() {
      profiles.push(...(await Promise.all(threads.map((each, index) => stop(each, before[index] as number)))))
    },
    detach: () => inspector?.close(),
  }
  return { probe, profiles: profiles as readonly ThreadProfile[] }
}

/** @returns the CPU time of the thread so far, in microseconds */
async function start(thread: Conversation): Promise<number> {
  await thread.send('Profiler.enable')
  await thread.send('Profiler.setSamplingInterval', { interval: INTERVAL_MICROS })
  const [, cpuMicros] = await Promise.all([thread.send('Profiler.start'), readCpuMicros(thread)])
  return cpuMicros
}

async function stop(thread: Conversation, cpuMicrosBefore: number): Promise<ThreadProfile> {
  const [cpuMicros, { profile }] = await Promise.all([
    readCpuMicros(thread),
    thread.send<Profiler.StopReturnType>('Profiler.stop'),
  ])
  return { thread: thread.name, profile, cpuMicros: cpuMicros - cpuMicrosBefore }
}

const readCpuMicros = (thread: Conversation) => thread.evaluate<number>(READ_CPU_MICROS)

/** Id of the thread in the system, see proc_thread-self(5); 0 on systems other than Linux. */
const FIND_ID = `(() => {
  try {
    return Number(process.getBuiltinModule('node:fs').readlinkSync('/proc/thread-self').split('/').at(-1))
  } catch {
    return 0
  }
})()`
const READ_CPU_MICROS = '(({ user, system }) => user + system)(process.threadCpuUsage())'
