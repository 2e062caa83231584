import { PROBLEM_TYPE, problemDocument } from '../lib/respond.ts'
import { securityHeaders } from '../lib/security-headers.ts'
import type { Answer } from './concerns/framework/contract.ts'
import type { Problem } from './problems.ts'

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
