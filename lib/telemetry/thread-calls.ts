import { record } from '../record.ts'
import { monotonicMs } from '../units.ts'
import { type CallHeaders, type CallRecorder, type CallTimes, packTimes, unpackTimes } from './call-times.ts'

/**
 * The calls that threads make for requests. They begin and end on the main thread: upstream gets the id of the span, and
 * the thread says in its reply how the call went.
 *
 *     main thread                             thread
 *     begin ── headers ─────────────────────▶ call
 *     end ◀─── packReport, or a CallNote ──── onEnd
 */
export interface ThreadCalls {
  /**
   * @param url the origin of the upstream
   * @throws when no calls of this operation are made at the moment
   */
  begin(operation: string, url: string, parent: unknown): ThreadCall
  /** Says that nothing was done in the span of a task. */
  drop(span: unknown): void
}

export interface ThreadCall {
  /** The headers that the call has to pass on. */
  readonly headers: CallHeaders
  /** @param times undefined if no call was made, or if nobody knows its end, because its thread died */
  end(times: CallTimes | undefined): void
}

export const threadCallsOf = (recorder: CallRecorder): ThreadCalls => ({
  begin(_operation, url, parent) {
    const span = recorder.startCall(url, parent)
    return {
      headers: recorder.callHeaders(span, parent),
      end: times => (times ? recorder.endCall(span, times) : recorder.drop(span)),
    }
  },
  drop: span => recorder.drop(span),
})

/** Lines that a thread has formatted, each with its newline. */
export interface FormattedLines {
  readonly text: string
  readonly count: number
}

/** What a thread reports of an answer, also if it has failed. */
export interface Report {
  readonly call: CallTimes
  readonly lines: FormattedLines
}

const NO_LINES: FormattedLines = { text: '', count: 0 }
export const REPORT_LENGTH = 7

/** A list of plain values costs a message little. */
export const packReport = (call: CallTimes, { text, count } = NO_LINES) => [text, count, ...packTimes(call)]

export const unpackReport = (packed: readonly unknown[], at = 0): Report => ({
  lines: { text: packed[at] as string, count: packed[at + 1] as number },
  call: unpackTimes(packed, at + 2),
})

/** The headers of the calls for a page. Without headers no call is made. */
export type SentCalls<Name extends string> = Readonly<Record<Name, CallHeaders | undefined>>

/** A note of a page's thread about a call: the number of its operation, and its packed times. */
type CallNote = readonly [operation: number, ...times: unknown[]]

/**
 * Begins the calls for a page, on the main thread. They end with the page at the latest, and then the thread cannot say how.
 * @param refused is told of a call that is not made at the moment
 * @throws the error of the first call if that is not made: without it there is no page
 */
export function beginPageCalls<Name extends string>(
  names: readonly Name[],
  begin: (name: Name) => ThreadCall,
  refused: (name: Name, error: unknown) => void,
) {
  const startedAtMs = monotonicMs()
  const open = record(names, (name): ThreadCall | undefined => {
    try {
      return begin(name)
    } catch (error) {
      if (name === names[0]) throw error
      refused(name, error)
      return undefined
    }
  })
  const end = (name: Name, times: CallTimes) => {
    open[name]?.end(times)
    open[name] = undefined
  }
  return {
    sent: record(names, name => open[name]?.headers) as SentCalls<Name>,
    /** @returns false if the note is about something else */
    takeNote(note: unknown): boolean {
      const name = names[(note as CallNote)[0]]
      if (name !== undefined) end(name, unpackTimes(note as CallNote, 1))
      return name !== undefined
    },
    endAll(errorType: string) {
      const durationMs = monotonicMs() - startedAtMs
      for (const name of names) end(name, { startedAtMs, durationMs, wasSent: true, status: 0, errorType })
    },
  }
}

/** The records of the calls in the thread of the page. @param note sends a note to the main thread */
export function recordPageCalls<Name extends string>(
  sent: SentCalls<Name>,
  note: (note: CallNote) => unknown,
) {
  const names = Object.keys(sent) as Name[]
  return record(names, name => {
    const headers = sent[name]
    const onEnd = (times: CallTimes) => void note([names.indexOf(name), ...packTimes(times)])
    return headers && { headers, onEnd }
  })
}
