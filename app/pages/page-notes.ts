import { type CallTimes, packTimes, unpackTimes } from '../../lib/telemetry/call-times.ts'
import type { Plain } from '../../workers/protocol.ts'
import { describeCause, Problem, type ProblemCode, toProblem } from '../problems.ts'
import { type SourceName, sourceNames } from './sources.ts'

/**
 * What a page in a render thread says to the main thread. It is a list of plain values, because these cost little to read
 * from a message.
 */
export type PageNote = readonly Plain[]

interface NoteReader {
  /** A call upstream has ended. */
  called(source: SourceName, times: CallTimes): void
  /** There are no recommendations. */
  missing(problem: Problem): void
  /** There is no page. */
  failed(problem: Problem): void
}

const kinds = ['called', 'missing', 'failed'] as const
const [CALLED, MISSING, FAILED] = kinds.keys()

export const noteCall = (source: SourceName, times: CallTimes): PageNote => [
  CALLED,
  sourceNames.indexOf(source),
  ...packTimes(times),
]

export const noteProblem = (kind: 'missing' | 'failed', error: unknown): PageNote => {
  const problem = toProblem(error)
  return [kind === 'missing' ? MISSING : FAILED, problem.code, describeCause(problem) as string | undefined]
}

export function readNote(note: PageNote, reader: NoteReader): void {
  const kind = kinds[note[0] as number]
  if (kind !== 'called')
    return reader[kind as 'missing'](new Problem(note[1] as ProblemCode, undefined, note[2]))
  reader.called(sourceNames[note[1] as number] as SourceName, unpackTimes(note, 2))
}
