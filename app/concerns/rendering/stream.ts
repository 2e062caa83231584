import { Readable } from 'node:stream'
import type { BodyStream } from '../../../lib/main-thread/send-stream.ts'
import { monotonicMs } from '../../../lib/units.ts'
import * as ordersPage from '../../pages/page.ts'
import { GRACE_MS, type PageRequest, partWith, problemOfComponent } from '../../pages/page-data.ts'
import type { AppProps } from '../../pages/view/app.tsx'
import { Problem } from '../../problems.ts'
import type { CreateRendering, RenderingOptions } from './contract.ts'

/** Renders with React's renderToPipeableStream on the main thread, and sends the page as fast as the client reads it. */
export const createRendering: CreateRendering = async ({ page = ordersPage, ...options }) => ({
  async render(request) {
    const props = await fetchProps(page, options, request)
    if (request.context.gone) throw new Problem('CLIENT_GONE')
    return streamPage(page, props, request)
  },
  close: async () => {},
})

/** Fetches what a page shows, and makes the props of its component once the orders are there. */
export function fetchProps(
  page: typeof ordersPage,
  { fetchPage, upstreamType: type }: Pick<RenderingOptions, 'fetchPage' | 'upstreamType'>,
  request: PageRequest,
): Promise<AppProps> {
  const { query, deadline, onMissing } = request
  const data = fetchPage(request)
  return page.load({ query, type, deadline, data }, error => onMissing('recommendations', error))
}

/** Resolves once the shell is ready. What comes later is written to the body. */
function streamPage(
  { default: App, options, react }: typeof ordersPage,
  props: AppProps,
  { nonce, context, deadline, onMissing, onEnd }: PageRequest,
): Promise<ReactBody> {
  const { promise, resolve, reject } = Promise.withResolvers<ReactBody>()
  const body = new ReactBody()
  const askedAtMs = monotonicMs()
  const times = { waitMs: 0, runMs: 0 }
  let isShellReady = false
  const errors: (readonly [error: unknown, componentStack: string | undefined])[] = []
  // React renders in the next turn of the event loop, after this.
  setImmediate(() => {
    times.waitMs = monotonicMs() - askedAtMs
  })
  const { pipe, abort } = react.renderToPipeableStream(react.createElement(App, props), {
    ...options,
    nonce,
    onError(error, { componentStack }) {
      if (!isShellReady) errors.push([error, componentStack])
      else if (!body.destroyed) miss(error, componentStack)
    },
    onShellReady() {
      isShellReady = true
      times.runMs = monotonicMs() - askedAtMs - times.waitMs
      for (const error of errors) miss(...error)
      // The parts that are ready in this turn are sent in their places.
      queueMicrotask(() => {
        pipe(body as unknown as NodeJS.WritableStream)
        resolve(body)
      })
    },
    onShellError(error) {
      finish()
      reject(problemOfComponent(error, errors.find(([each]) => each === error)?.[1]))
    },
    onAllReady() {
      finish()
      onEnd(times)
    },
  })
  const removeListener = context.onGone(() => abort(new Problem('CLIENT_GONE')))
  const patienceMs = Math.max(0, deadline - monotonicMs()) + GRACE_MS
  const timer = setTimeout(() => abort(new Problem('ANSWER_LATE')), patienceMs)

  function finish(): void {
    removeListener()
    clearTimeout(timer)
  }
  function miss(error: unknown, componentStack: string | undefined): void {
    onMissing(partWith(componentStack), problemOfComponent(error, componentStack))
  }
  return promise
}

/** The body of a page that React writes, as fast as the client reads: React goes on with the event `drain`. */
export class ReactBody extends Readable implements BodyStream {
  isComplete = false

  write(chunk: string | Uint8Array): boolean {
    return this.push(chunk)
  }

  end(): void {
    this.isComplete = true
    this.push(null)
  }

  override _read(): void {
    this.emit('drain')
  }
}
