import {
  anyRule,
  checkOptions,
  durationRule,
  functionRule,
  integerRule,
  poolRules,
  required,
  urlRule,
} from '../../lib/cli/checked-options.ts'
import { poolBounds } from '../../lib/cli/options.ts'
import { streamPage } from './page-body.ts'
import { startPageThreads } from './page-threads.ts'
import type { PageRequest, PageThreads, RendererOptions, StreamedPage } from './renderer-types.ts'
import { type IncomingLike, type ReplyLike, replyTo } from './reply.ts'
import { respondTo } from './respond.ts'

/** Threads that render the pages of an app, with answers to the requests of frameworks. */
export interface Renderer extends PageThreads {
  /** Makes a page. @returns it once its shell is ready @throws RenderError */
  stream(request: PageRequest): Promise<StreamedPage>
  /**
   * Answers a request of Express, Fastify, node:http or node:http2. Headers that `reply` has already are kept; those that are lists,
   * such as `set-cookie`, go with those of the page. An error before there is a page goes to the error handler of the framework, or
   * of node:http to `answerError`.
   * @returns a promise that never rejects, and is fulfilled when the answer was sent or its client has left
   * @throws TypeError for a reply of an unknown kind
   */
  reply(request: IncomingLike, reply: ReplyLike, page?: Partial<PageRequest>): Promise<void>
  /** Answers a web request, as Hono has it. @throws RenderError, whose answer Hono sends */
  respond(request: Request, page?: Partial<PageRequest>): Promise<Response>
}

/**
 * Starts threads that render the pages of an app, each page one tree of React: `createRenderer({ app: new URL(…) })`.
 * @throws RangeError for a wrong option; what the module of the app throws when it is loaded
 */
export async function createRenderer(options: RendererOptions): Promise<Renderer> {
  const { bodyLimitBytes = MIB, answerError, ...others } = checkOptions('createRenderer', options, rules)
  const threads = await startPageThreads(others)
  return Object.assign(threads, {
    stream: (request: PageRequest) => streamPage(threads, request),
    reply: (request: IncomingLike, reply: ReplyLike, page?: Partial<PageRequest>) =>
      replyTo(threads, request, reply, page ?? {}, { bodyLimitBytes, answerError }),
    respond: (request: Request, page?: Partial<PageRequest>) =>
      respondTo(threads, request, page ?? {}, bodyLimitBytes),
  })
}

const MIB = 1024 * 1024

const rules = {
  ...poolRules,
  app: required(urlRule),
  appOptions: anyRule,
  pagesAtOnce: integerRule({ min: 1, max: 65_536 }),
  shellTimeoutMs: durationRule({ ...poolBounds.partTimeoutMs, orInfinity: true }),
  pageTimeoutMs: durationRule({ ...poolBounds.partTimeoutMs, orInfinity: true }),
  bodyLimitBytes: integerRule({ min: 0, max: 2 ** 30 }),
  windowBytes: integerRule({ min: 1, max: 2 ** 30 }),
  onError: functionRule,
  answerError: functionRule,
  onPage: functionRule,
}
