import { InvalidQueryError } from '../lib/query.ts'
import { PROBLEM_TYPE, problemDocument } from '../lib/respond.ts'
import { securityHeaders } from '../lib/security-headers.ts'
import type { Answer } from './concerns/framework/contract.ts'

/** Every way a request can fail: stable code, HTTP status, and what a client is told unless the throw says more. */
const problems = {
  INVALID_QUERY: { status: 400, detail: 'the query is not what this route asks for' },
  MALFORMED_URL: { status: 400, detail: 'the URL has a fragment, or an escape that is no UTF-8' },
  MALFORMED_REQUEST: { status: 400, detail: 'the request is not valid HTTP/1.1' },
  NOT_FOUND: { status: 404, detail: 'there is no such route' },
  METHOD_NOT_ALLOWED: { status: 405, detail: 'this route answers GET and HEAD' },
  REQUEST_TIMEOUT: { status: 408, detail: 'the request did not arrive in time' },
  CONTENT_TOO_LARGE: { status: 413, detail: 'no route takes a body' },
  URL_TOO_LONG: { status: 414, detail: 'the URL is too long' },
  HEADERS_TOO_LARGE: { status: 431, detail: 'the request headers are too large' },
  CLIENT_GONE: { status: 499, detail: 'the client closed the connection' },
  INTERNAL_ERROR: { status: 500, detail: 'the service failed; its log has the reason' },
  PART_FAILED: { status: 500, detail: 'a part of this page failed; the log has the reason' },
  TASK_FAILED: { status: 500, detail: 'a task of this request failed; the log has the reason' },
  UPSTREAM_FAILED: { status: 502, detail: 'the orders service failed' },
  DEADLINE_PASSED: { status: 503, detail: 'the request waited too long to be worked on' },
  OVERLOADED: { status: 503, detail: 'there is more to do than can be done in time; try again' },
  NOT_READY: { status: 503, detail: 'the service is starting or stopping' },
  UPSTREAM_UNAVAILABLE: { status: 503, detail: 'the orders service fails at present; try again' },
  ANSWER_LATE: { status: 504, detail: 'the answer was not ready in time' },
  TASK_TIMEOUT: { status: 504, detail: 'a task of this request took too long and was ended' },
  UPSTREAM_TIMEOUT: { status: 504, detail: 'the orders service did not answer in time' },
} as const

export type ProblemCode = keyof typeof problems

export const problemCodes = Object.keys(problems) as readonly ProblemCode[]

export const statusOf = (code: ProblemCode): number => problems[code].status

/** A failure that has a place in the table. Anything else that is thrown is a bug, and answered as INTERNAL_ERROR. */
export class Problem extends Error {
  override name = 'Problem'
  readonly code: ProblemCode
  readonly detail: string

  /** `cause` goes to the log, never to the client. */
  constructor(code: ProblemCode, detail?: string, cause?: unknown) {
    super(detail ?? problems[code].detail, cause === undefined ? undefined : { cause })
    this.code = code
    this.detail = this.message
  }

  get status(): number {
    return statusOf(this.code)
  }
}

/** What was thrown as a problem: a bug unless it is known. */
export function toProblem(error: unknown): Problem {
  if (error instanceof Problem) return error
  if (error instanceof InvalidQueryError) return new Problem('INVALID_QUERY', error.message)
  return new Problem('INTERNAL_ERROR', undefined, error)
}

/** The answer that tells a client of a problem. */
export function problemAnswer({ status, code, detail }: Problem): Answer {
  const headers = {
    ...securityHeaders,
    'content-type': PROBLEM_TYPE,
    ...(code === 'METHOD_NOT_ALLOWED' && { allow: 'GET, HEAD' }),
    ...(status === 503 && { 'retry-after': '1' }),
  }
  return { status, headers, body: problemDocument(status, code, detail) }
}

/** For the log. */
export const describeCause = ({ cause }: Problem): unknown => (cause instanceof Error ? cause.stack : cause)
