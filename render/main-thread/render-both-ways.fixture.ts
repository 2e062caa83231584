import { Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { createElement } from 'react'
import { renderToPipeableStream, renderToString } from 'react-dom/server'
import type { RenderMode, StreamOptions } from '../app-module.ts'
import { createRenderer, RenderError } from './index.ts'
import Page, { begin, cases } from './react-parity.fixture.ts'

/** What a page came to. */
interface Outcome {
  /** Empty if there is no page. */
  readonly html: string
  readonly link: unknown
  /** The message, digest and components of each. */
  readonly errors: readonly unknown[]
}

export interface Sides {
  readonly thread: Outcome
  readonly main: Outcome
}

const told = ({ message }: Error, digest: unknown, components: string | null | undefined) => [
  message,
  digest ?? null,
  components ?? null,
]

const errors: unknown[] = []
const renderer = await createRenderer({
  app: new URL('./react-parity.fixture.ts', import.meta.url),
  threads: 1,
  onError: ({ cause, digest, componentStack }) => errors.push(told(cause as Error, digest, componentStack)),
})

async function inThread(name: string): Promise<Outcome> {
  errors.length = 0
  try {
    const { body, headers } = await renderer.stream({ url: '/', props: { name } })
    return { html: await text(body), link: headers.link, errors: [...errors] }
  } catch (error) {
    if (!(error instanceof RenderError)) throw error
    return { html: '', link: undefined, errors: [...errors] }
  }
}

/** Renders as React's manual says. */
function onMain(name: string): Promise<Outcome> {
  const { promise, resolve } = Promise.withResolvers<Outcome>()
  const errors: unknown[] = []
  let abort: (reason: unknown) => void = () => {}
  const page = {
    options: {} as StreamOptions,
    headers: {} as Record<string, string>,
    mode: 'stream' as RenderMode,
    abort: (reason: unknown) => abort(reason),
  }
  const element = createElement(Page, begin(name, page) as never)
  const { transform, onError, ...options } = page.options
  if (page.mode === 'string') {
    try {
      const html = renderToString(element, options)
      const doctype = html.startsWith('<html') ? '<!DOCTYPE html>' : ''
      return Promise.resolve({ html: doctype + html, link: undefined, errors })
    } catch (error) {
      return Promise.resolve({ html: '', link: undefined, errors: [told(error as Error, null, null)] })
    }
  }
  let html = ''
  const body = new Writable({
    write(chunk, _, done) {
      html += chunk.toString('latin1')
      done()
    },
    final() {
      resolve({ html: Buffer.from(html, 'latin1').toString(), link: page.headers.link, errors })
    },
  })
  const pipe = () => (transform ? transform(stream).pipe(body) : stream.pipe(body))
  const stream = renderToPipeableStream(element, {
    ...options,
    onShellReady: () => page.mode === 'stream' && pipe(),
    onAllReady: () => page.mode === 'static' && pipe(),
    onShellError: () => resolve({ html: '', link: undefined, errors }),
    onError(error, info) {
      const digest = onError?.(error, info)
      errors.push(told(error as Error, digest, info.componentStack))
      return digest
    },
  })
  abort = stream.abort
  return promise
}

const sides: Record<string, Sides> = {}
for (const name of Object.keys(cases))
  sides[name] = { thread: await inThread(name), main: await onMain(name) }
await renderer.close()
// In development, a document has the stacks of errors. They end in the functions that call React, or in the turn of Node.js that
// happened to run a promise.
const withoutCallers = (name: string, value: unknown) =>
  name === 'html'
    ? (value as string)
        .replaceAll(/(at performWork [^()]*\([^()]*\))[^"]*/g, '$1')
        .replaceAll(/\n {4}at \S+ \(node:internal\/[^()]*\)/g, '')
    : value
process.stdout.write(JSON.stringify(sides, withoutCallers))
