import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import { readBody } from '../../apm-agent/read-body.ts'
import { isEqual } from '../../app/server/faults/fault-routes.ts'
import { type Check, count, object, orAbsent, text } from '../../lib/check.ts'
import { guardServer } from '../../lib/http/guard.ts'
import { splitUrl } from '../../lib/http/query.ts'
import { refuse } from '../../lib/http/respond.ts'
import { type PageFile, readPage, sendFile } from '../../screen/files.ts'
import type { StageCommand } from '../../screen/stage-messages.ts'
import type { Board } from './board.ts'

const MAX_COMMAND_BYTES = 1024

/** The page of the stage, which slides on any site, or in a file, may show in a frame. @throws UserError when it has not been built */
export const readStagePage = () => readPage(join(import.meta.dirname, '../../screen/dist/stage'), '* file:')

interface StageServerOptions {
  readonly board: Board
  readonly page: ReadonlyMap<string, PageFile>
  readonly token: string
  /** @throws Error when the command cannot be obeyed; its message is for people */
  obey(command: StageCommand): Promise<void>
}

/**
 * The HTTP server of the stage, on loopback.
 *
 *   GET /         the stage view; its files are in /assets
 *   GET /events   server-sent events: the present state, then each change
 *   POST /stage   a command, such as {"kind":"go","step":3}; it needs Authorization: Bearer and the token
 */
export function createStageServer({ board, page, token, obey }: StageServerOptions): Server {
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const [path, query] = splitUrl(request.url as string)
    const asked = `${request.method} ${path}`
    const file = request.method === 'GET' ? page.get(path) : undefined
    if (file) return sendFile(response, file)
    if (asked === 'GET /events')
      return board.watch(response, Number(new URLSearchParams(query).get('after')) || 0)
    if (asked !== 'POST /stage')
      return refuse(response, 404, 'NOT_FOUND', 'there is only /, /events and /stage')
    if (!isEqual(request.headers.authorization ?? '', `Bearer ${token}`)) {
      response.setHeader('www-authenticate', 'Bearer')
      return refuse(response, 401, 'UNAUTHORIZED', 'a command needs Authorization: Bearer and the token')
    }
    const command = await readCommand(request)
    if (!command) return refuse(response, 400, 'MALFORMED_BODY', 'the body is no command of the stage')
    try {
      await obey(command)
    } catch (error) {
      return refuse(response, 409, 'COMMAND_REFUSED', (error as Error).message)
    }
    response.writeHead(204).end()
  }
  const server = createServer(answer)
  guardServer(server)
  return server
}

const anyText = text(MAX_COMMAND_BYTES)
const isBy = (given: unknown): given is 1 | -1 => given === 1 || given === -1
/** The shape of each kind of command. */
const shapes = new Map<unknown, Check<object>>([
  ['go', object({ step: count })],
  ['move', object({ by: isBy })],
  ['tour', object({})],
  ['ask', object({ scenario: orAbsent(anyText) })],
  ['overload', object({ mode: orAbsent(anyText) })],
  ['fault', object({ name: anyText })],
] satisfies [StageCommand['kind'], Check<object>][])

/** @returns undefined when the body is no command */
async function readCommand(request: IncomingMessage): Promise<StageCommand | undefined> {
  try {
    const given = JSON.parse(String(await readBody(request, MAX_COMMAND_BYTES)))
    return shapes.get(given?.kind)?.(given) ? (given as StageCommand) : undefined
  } catch {
    return undefined
  }
}
