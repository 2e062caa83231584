import { createElement as h, type ReactNode, Suspense, use } from 'react'
import type { LoadedPage, LoadRequest } from '../app-module.ts'

/** A page whose query says what goes wrong. */

interface Props {
  readonly what: string
  readonly text?: string
  readonly late?: Promise<string>
  readonly later?: Promise<string>
  readonly page: LoadedPage
}

export async function load(request: LoadRequest, page: LoadedPage): Promise<Props | Response> {
  const { url, props, nonce } = request
  const what = url.slice(1).replace(/\?.*/, '')
  page.options.bootstrapScriptContent = 'globalThis.started = true'
  page.note({ nonce })
  switch (what) {
    case 'redirect':
      return new Response(null, { status: 302, headers: { location: '/elsewhere' } })
    case 'passed':
      return new Response(textOf('first', props.late as Promise<string>), { status: 201 })
    case 'foreign':
      return foreignRedirect
    case 'refused':
      throw new Response('no', { status: 403 })
    case 'bad-gateway':
      throw Object.assign(new Error('upstream is down'), { statusCode: 502 })
    case 'never-loads':
      return new Promise(() => {})
    case 'bad-header':
      page.headers.location = '/日本'
      break
    case 'bad-status':
      page.status = 1000
      break
    case 'body':
      return { ...props, what, page, text: await bodyOf(request) }
    case 'lists':
      Object.assign(page.headers, { 'set-cookie': ['theme=dark', 'size=2'], vary: 'accept-language' })
      break
    case 'no-content':
      page.status = 204
      break
    case 'missing':
      page.status = 404
      page.headers['x-kind'] = 'missing'
  }
  return { ...props, what, page }
}

/** A body whose second chunk is late, or fails. */
const textOf = (first: string, late: Promise<string>) =>
  ReadableStream.from(
    (async function* () {
      yield Buffer.from(first)
      yield Buffer.from(await late)
    })(),
  )

/** A response as another library has it. */
const foreignRedirect = {
  [Symbol.toStringTag]: 'Response',
  status: 302,
  headers: new Headers({ location: '/elsewhere' }),
  url: '',
  body: null,
  bodyUsed: false,
} as unknown as Response

async function bodyOf(request: LoadRequest): Promise<string> {
  const asked = request.toRequest()
  return `${asked.method} ${asked.url} ${await asked.text()}`
}

// biome-ignore lint/style/noDefaultExport: the renderer loads the component by this name
export default function Page({ what, text = '', late, later }: Props): ReactNode {
  if (what === 'throws') throw new RangeError('on purpose')
  if (what === 'throws-odd') throw undefined
  if (what === 'throws-bare') throw Object.create(null)
  if (what === 'loops') for (;;);
  if (what === 'exits') process.exit(3)
  if (what === 'fills') fillMemory()
  if (what === 'suspends') use(new Promise(() => {}))
  return h(
    'html',
    null,
    h('head', null, h('title', null, what)),
    h(
      'body',
      null,
      h('p', null, text),
      [late, later].map(
        (data, key) =>
          data && h(Suspense, { key, fallback: h('i', null, 'waiting') }, h(Late, { what, late: data })),
      ),
    ),
  )
}

function Late({ what, late }: { readonly what: string; readonly late: Promise<string> }): ReactNode {
  const text = use(late)
  if (what === 'late-throws') throw new RangeError('late on purpose')
  if (what === 'late-loops') for (;;);
  if (what === 'late-exits') process.exit(3)
  return h('b', null, text)
}

function fillMemory(): never {
  for (const kept: unknown[] = []; ; ) kept.push({ kept: kept.length })
}
