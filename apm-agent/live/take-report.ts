import type { IncomingMessage, ServerResponse } from 'node:http'
import { refuse } from '../../lib/http/respond.ts'
import { readBody } from '../read-body.ts'
import { readClientReport } from './client-report.ts'
import type { Live } from './live.ts'

/** A report has at most one pair per bucket. */
const MAX_BODY_BYTES = 32 * 2 ** 10

/**
 * Receives the report of a load generator. Only JSON is accepted, because a browser does not send it for a page of
 * another site without a preflight request.
 */
export async function takeReport(
  request: IncomingMessage,
  response: ServerResponse,
  live: Live,
): Promise<void> {
  if (!request.headers['content-type']?.startsWith('application/json'))
    return refuse(response, 415, 'UNSUPPORTED_MEDIA_TYPE', 'only application/json is understood')
  try {
    live.takeReport(readClientReport((await readBody(request, MAX_BODY_BYTES)).toString()))
  } catch {
    response.setHeader('connection', 'close')
    return refuse(response, 400, 'MALFORMED_BODY', 'the body is no report of a load generator')
  }
  response.writeHead(204).end()
}
