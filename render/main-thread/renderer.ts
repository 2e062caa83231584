import {
  anyRule,
  checkOptions,
  durationRule,
  functionRule,
  integerRule,
  required,
  urlRule,
} from '../../lib/cli/checked-options.ts'
import { poolBounds } from '../../lib/threads/pool-bounds.ts'
import { poolRules } from '../../lib/threads/pool-rules.ts'
import { startPageThreads } from './page-threads.ts'
import type { PageRequest, PageThreads, RendererOptions } from './renderer-types.ts'
import { type IncomingLike, type ReplyLike, replyTo } from './reply.ts'
import { respondTo } from './respond.ts'

/** Threads that render the pages of an app, with answers to the requests of frameworks. */
export interface Renderer extends PageThreads {
  /**
   * Answers a request of a framework or of node:http. Headers that `reply` has already are kept.
   * @throws RenderError, for the error handler of the framework; node:http gets an answer without a page
   */
  reply(request: IncomingLike, reply: ReplyLike, page?: Partial<PageRequest>): Promise<void>
  /** Answers a web request, as Hono has it. @throws RenderError */
  respond(request: Request, page?: Partial<PageRequest>): Promise<Response>
}

/**
 * Starts threads that render the pages of an app, each page one tree of React: `createRenderer({ app: new URL(…) })`.
 * @throws RangeError for a wrong option; what the module of the app throws when it is loaded
 */
export async function createRenderer(options: RendererOptions): Promise<Renderer> {
  const threads = await startPageThreads(checkOptions('createRenderer', options, rules))
  return Object.assign(threads, {
    reply: (request: IncomingLike, reply: ReplyLike, page?: Partial<PageRequest>) =>
      replyTo(threads, request, reply, page),
    respond: (request: Request, page?: Partial<PageRequest>) => respondTo(threads, request, page),
  })
}

const rules = {
  ...poolRules,
  app: required(urlRule),
  appOptions: anyRule,
  pagesAtOnce: integerRule({ min: 1, max: 65_536 }),
  shellTimeoutMs: durationRule({ ...poolBounds.partTimeoutMs, orInfinity: true }),
  pageTimeoutMs: durationRule({ ...poolBounds.partTimeoutMs, orInfinity: true }),
  windowBytes: integerRule({ min: 1, max: 2 ** 30 }),
  onError: functionRule,
  onPage: functionRule,
}
