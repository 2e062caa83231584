import {
  amount,
  type Check,
  count,
  flag,
  integer,
  list,
  number,
  object,
  oneOf,
  orAbsent,
  orNull,
  pattern,
  text,
  tuple,
} from '../../lib/check.ts'
import { logLevels } from '../../lib/telemetry/logger.ts'
import type { CancelMessage, Heartbeat, JobMessage, RemoteReply, ReplyMessage } from './protocol.ts'

/** Checks of the messages that come over NATS, where everybody with its credentials may publish. */

const MAX_CALLS = 64
const MAX_REPLIES = 65_536
const MAX_LINES = 10_000
const MAX_TEXT = 2 ** 20
const MAX_THREADS = 4096

/** A subject to publish to. Any other text could be read as a command of the protocol of NATS. */
const subject = pattern(/^[^\s*>]{1,256}$/)
const name = text(256)
const anything = ((_given): _given is unknown => true) as Check<unknown>

const call = tuple<[string, unknown, string | null]>(name, anything, orNull(name))

export const isJob = tuple(
  subject,
  count,
  number,
  flag,
  text(MAX_TEXT),
  list(call, MAX_CALLS),
) as unknown as Check<JobMessage>

export const isCancel: Check<CancelMessage> = tuple<[string, number]>(subject, count)

export const isHeartbeat: Check<Heartbeat> = object({
  worker: name,
  tasks: name,
  threads: integer(MAX_THREADS),
  slots: count,
  held: count,
  cpuMicros: amount,
})

/** The list of replies; each of them is checked for itself. */
export const isReplies = list(
  tuple<[number, unknown]>(count, anything),
  MAX_REPLIES,
) as unknown as Check<ReplyMessage>

const lines = orAbsent(
  list(object({ level: oneOf(logLevels), message: text(MAX_TEXT), fields: object({}) }), MAX_LINES),
)
const run = object({ agoMs: number, runMs: amount })

const outcomes: Readonly<Record<RemoteReply['kind'], Check<unknown>>> = {
  done: object({ runs: list(run, MAX_CALLS) }),
  failed: object({ message: text(MAX_TEXT), stack: orAbsent(text(MAX_TEXT)) }),
  expired: object({}),
  lost: object({ timedOut: flag, why: text(MAX_TEXT) }),
}

/** @param calls the number of tasks in the job */
export function isReply(given: unknown, calls: number): given is RemoteReply {
  if (!object({ kind: oneOf(Object.keys(outcomes)), lines })(given)) return false
  const reply = given as RemoteReply
  return outcomes[reply.kind](reply) && (reply.kind !== 'done' || reply.runs.length === calls)
}
