import { InvalidQueryError } from '../lib/http/query.ts'
import { PROBLEM_TYPE, problemDocument, securityHeaders } from '../lib/http/respond.ts'
import { CodedError } from '../lib/threads/thrown.ts'
import type { Answer } from './route.ts'
import { operationProblems } from './server/additions.ts'

/**
 * Every way in which a request can fail: a stable code, the HTTP status, and the text for the client unless the throw
 * has its own.
 */
const problems = {
  ...operationProblems,
  INVALID_QUERY: { status: 400, detail: 'the query has an unknown or invalid parameter' },
  NOT_FOUND: { status: 404, detail: 'there is no such route' },
  METHOD_NOT_ALLOWED: { status: 405, detail: 'this route answers GET and HEAD' },
  CLIENT_GONE: { status: 499, detail: 'the client closed the connection' },
  INTERNAL_ERROR: { status: 500, detail: 'the service failed; its log has the reason' },
  PART_FAILED: { status: 500, detail: 'a part of this page failed; the log has the reason' },
  TASK_FAILED: { status: 500, detail: 'a task of this request failed; the log has the reason' },
  UPSTREAM_FAILED: { status: 502, detail: 'the orders service failed' },
  DEADLINE_PASSED: { status: 503, detail: 'the request waited too long and was not processed' },
  NOT_READY: { status: 503, detail: 'the service is starting or stopping' },
  ANSWER_LATE: { status: 504, detail: 'the answer was not ready in time' },
  TASK_TIMEOUT: { status: 504, detail: 'a task of this request took too long and was ended' },
  UPSTREAM_TIMEOUT: { status: 504, detail: 'the orders service did not answer in time' },
} as const

export type ProblemCode = keyof typeof problems

/** A failure that is listed in the table. Any other thrown value is a bug, and is answered as INTERNAL_ERROR. */
export class Problem extends CodedError<ProblemCode> {
  override name = 'Problem'
  /** The `cause` is written to the log and never sent to the client. */
  constructor(code: ProblemCode, detail?: string, cause?: unknown) {
    super(code, detail ?? problems[code].detail, cause)
  }

  get status(): number {
    return problems[this.code].status
  }
}

export function toProblem(error: unknown): Problem {
  if (error instanceof Problem) return error
  if (error instanceof InvalidQueryError) return new Problem('INVALID_QUERY', error.message)
  return new Problem('INTERNAL_ERROR', undefined, error)
}

/**
 * Decodes what upstream sent.
 * @throws Problem UPSTREAM_FAILED when that is not possible, or does not give `count` items
 */
export function decodeUpstream<Item>(decode: () => readonly Item[], count?: number): readonly Item[] {
  try {
    const items = decode()
    if (count !== undefined && items.length !== count)
      throw new Error(`${count} orders were asked for, ${items.length} came`)
    if (items.includes(null as Item)) throw new Error('an item is null')
    return items
  } catch (error) {
    throw new Problem('UPSTREAM_FAILED', undefined, error)
  }
}

export function problemAnswer({ status, code, message }: Problem): Answer {
  const headers = {
    ...securityHeaders,
    'content-type': PROBLEM_TYPE,
    ...(code === 'METHOD_NOT_ALLOWED' && { allow: 'GET, HEAD' }),
    ...(status === 503 && { 'retry-after': '1' }),
  }
  return { status, headers, body: problemDocument(status, code, message) }
}

export const describeCause = ({ cause }: Problem): unknown => (cause instanceof Error ? cause.stack : cause)
