import { record } from '../record.ts'
import { Departure } from '../threads/departure.ts'
import { type CallHeaders, type CallTimes, packTimes, unpackTimes } from './call-times.ts'

/**
 * Calls that a thread makes for a request of the main thread. The main thread begins their spans, because upstream gets
 * their ids, and the thread notes their times.
 *
 *     main thread                    thread
 *     sendCalls ── SentCalls ──────▶ takeCalls: fetch
 *     read ◀── note ──────────────── onCalled
 */
export interface SentCalls<Name extends string> {
  /** The deadline of the request, in milliseconds by the monotonic clock. */
  readonly deadline: number
  /** Headers that the calls pass on. */
  readonly headers: Readonly<Record<Name, CallHeaders>>
  /** The name of each call for `endLate`. */
  readonly ids: Readonly<Record<Name, number>>
}

/** A call that the main thread has begun. */
interface BegunCall {
  readonly id: number
  readonly headers: CallHeaders
  end(times: CallTimes): void
  abandon(deadline: number): void
}

/** A call that has ended: the number of its name, and its packed times. */
type CallNote = readonly [name: number, ...times: unknown[]]

/** Begins the calls of these names on the main thread. */
export function sendCalls<Name extends string>(
  names: readonly Name[],
  begin: () => BegunCall,
  deadline: number,
) {
  const calls = record(names, begin)
  const sent: SentCalls<Name> = {
    deadline,
    headers: record(names, name => calls[name].headers),
    ids: record(names, name => calls[name].id),
  }
  return {
    props: { calls: sent },
    /** Ends a call. @returns false if the note is about something else */
    read(note: unknown): boolean {
      const name = names[(note as CallNote)[0]]
      if (name !== undefined) calls[name].end(unpackTimes(note as CallNote, 1))
      return name !== undefined
    },
    /** Says that nobody waits for the calls any more. */
    over() {
      for (const name of names) calls[name].abandon(deadline)
    },
  }
}

/**
 * Takes the calls in the thread.
 * @param signal is aborted when nobody waits for them any more
 * @param note tells the main thread of a call; false if it is too late for that
 * @param endLate tells it in another way
 * @returns who makes the calls, and their records
 */
export function takeCalls<Name extends string>(
  names: readonly Name[],
  { deadline, headers, ids }: SentCalls<Name>,
  signal: AbortSignal,
  note: (note: CallNote) => boolean,
  endLate: (id: number, times: CallTimes) => void,
) {
  const caller = Object.assign(new Departure(), { deadline })
  signal.addEventListener('abort', () => caller.leave())
  const recorded = record(names, name => ({
    headers: headers[name],
    onCalled(times: CallTimes) {
      if (!note([names.indexOf(name), ...packTimes(times)])) endLate(ids[name], times)
    },
  }))
  return [caller, recorded] as const
}
