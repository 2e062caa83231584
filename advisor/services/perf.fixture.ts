import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import type { Profiler } from 'node:inspector'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { UserError } from '../../lib/cli/user-error.ts'
import { INSIDE_URL } from '../watching/inside.ts'

/**
 * Flags of Node.js that let perf name functions of JavaScript, compiled or not. V8's profiler knows which functions are
 * inlined in which; perf counts their time for the function that contains them, so nothing may be inlined.
 */
export const perfFlags = [
  '--perf-basic-prof',
  '--interpreted-frames-native-stack',
  '--no-turbo-inlining',
  '--no-maglev-inlining',
] as const

const FREQUENCY_HZ = 997
const MICROS_PER_SAMPLE = 1_000_000 / FREQUENCY_HZ

/**
 * Records the main thread of a process with Linux's own profiler, which sees CPU time only, and native code as well.
 * @returns its samples in V8's form, so that both profilers are split by the same rules
 * @throws UserError when there is no perf, or it may not record
 */
export async function recordWithPerf(pid: number, durationMs: number): Promise<Profiler.Profile> {
  const directory = mkdtempSync(join(tmpdir(), 'main-thread-perf-'))
  const file = join(directory, 'perf.data')
  try {
    const how = ['-e', 'cpu-clock', '-F', String(FREQUENCY_HZ), '-g', '-t', String(pid), '-o', file]
    await run(['record', ...how, '--', 'sleep', String(durationMs / 1000)])
    return readStacks(await run(['script', '-F', 'ip,sym', '-i', file]))
  } finally {
    rmSync(directory, { recursive: true })
    rmSync(`/tmp/perf-${pid}.map`, { force: true })
  }
}

async function run(args: readonly string[]): Promise<string> {
  try {
    return (await promisify(execFile)('perf', args, { encoding: 'utf8', maxBuffer: 2 ** 30 })).stdout
  } catch (error) {
    throw new UserError(
      `perf ${args[0]} failed (${(error as Error).message.trim()}); Debian's package is linux-perf`,
    )
  }
}

type CallFrame = Profiler.ProfileNode['callFrame']

/** A function of JavaScript in perf's map: `JS:*handle file:///srv/server.js:10:5`; the sign says how it is compiled. */
const SCRIPT = /^(?:JS|LazyCompile|Function|Script|Eval):[*~^+'`-]*(\S*) (.+?):(\d+):(\d+)$/
/** JSON has no function of JavaScript; V8's own names of its parser and of its serializer tell it. */
const JSON_CODE = /\bJson(Parse|Stringif)/

/** Reads what `perf script` prints: the stack of each sample from the innermost function outwards, then an empty line. */
export function readStacks(text: string): Profiler.Profile {
  const nodes: Profiler.ProfileNode[] = [makeNode(1, frame('(root)')), makeNode(2, frame('(program)'))]
  const ids = new Map<string, number>()
  const idOf = (stack: readonly CallFrame[]) =>
    stack.reduce((parent, callFrame) => {
      const key = `${parent} ${callFrame.functionName} ${callFrame.url} ${callFrame.lineNumber}:${callFrame.columnNumber}`
      const id = ids.get(key) ?? nodes.length + 1
      if (!ids.has(key)) {
        ids.set(key, id)
        nodes.push(makeNode(id, callFrame))
        nodes[parent - 1]?.children?.push(id)
      }
      return id
    }, 1)
  const stacks = text.split(/\n\s*\n/).filter(stack => stack.trim() !== '')
  const samples = stacks.map(stack => {
    const frames = stack.trim().split('\n').flatMap(readFrame).reverse()
    return frames.length === 0 ? 2 : idOf(frames)
  })
  return {
    nodes,
    samples,
    timeDeltas: samples.map(() => MICROS_PER_SAMPLE),
    startTime: 0,
    endTime: (samples.length + 1) * MICROS_PER_SAMPLE,
  }
}

function readFrame(line: string): CallFrame[] {
  const symbol = line.trim().replace(/^\S+ /, '')
  if (JSON_CODE.test(symbol)) return [frame('parse', INSIDE_URL)]
  const [, name = '', url, lineNumber, column] = SCRIPT.exec(symbol) ?? []
  return url === undefined ? [] : [frame(name, url, Number(lineNumber) - 1, Number(column) - 1)]
}

const frame = (functionName: string, url = '', lineNumber = 0, columnNumber = 0): CallFrame => ({
  functionName,
  url,
  lineNumber,
  columnNumber,
  scriptId: '0',
})

const makeNode = (id: number, callFrame: CallFrame): Profiler.ProfileNode => ({ id, callFrame, children: [] })
