import { AsyncLocalStorage } from 'node:async_hooks'
import { Transform } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import * as React from 'react'
import * as ReactDom from 'react-dom'
import type { LoadedPage, LoadRequest, RenderMode, StreamOptions } from '../app-module.ts'

/**
 * Behaviours of React's renderer on which a thread may have an influence: a tree of each, and the options with which it is rendered. What
 * React makes of elements, hooks and resources is React's, which the thread imports as the service does.
 */

const { createElement: h, Suspense, use } = React

/** What a case sees of its page, on both sides. */
export interface Seen {
  readonly page: Pick<LoadedPage, 'options' | 'headers' | 'abort'>
  /** Settled after the shell. */
  readonly late: Promise<string>
}

interface Case {
  readonly tree: (seen: Seen) => React.ReactNode
  readonly options?: StreamOptions
  readonly mode?: RenderMode
  readonly begin?: (seen: Seen) => void
}

const user = new AsyncLocalStorage<string>()
const Lazy = React.lazy(async () => ({ default: () => h('i', null, 'lazy') }))
const Late = ({ late }: Pick<Seen, 'late'>) => h('b', null, use(late))
const never = new Promise<never>(() => {})
const fail = (message = 'on purpose'): never => {
  throw Object.assign(new RangeError(message), { digest: 'D42' })
}
const Broken = (): React.ReactNode => fail()
const BrokenLate = ({ late }: Pick<Seen, 'late'>) => fail(use(late))
const suspended = (child: React.ReactNode, fallback = 'waiting') => h(Suspense, { fallback }, child)
const page = (...children: React.ReactNode[]) =>
  h('html', null, h('head', null, h('title', null, 'a page')), h('body', null, ...children))
const hook = (read: () => unknown) => h(() => h('p', null, String(read())))
class Boundary extends React.Component<React.PropsWithChildren> {
  override state = { failed: false }
  static getDerivedStateFromError = () => ({ failed: true })
  override render = () => (this.state.failed ? 'failed' : this.props.children)
}

class Upper extends Transform {
  override _transform(chunk: Uint8Array, _: string, done: (error: null, out: string) => void): void {
    done(null, String(chunk).toUpperCase())
  }
}

const count = (state: number) => state + 1

export const cases: Readonly<Record<string, Case>> = {
  'text beyond ASCII, and halves of it': { tree: () => h('p', null, 'äöü 漢字 🚀 \uD83D end', '\uDE80') },
  'long text': { tree: () => h('p', null, 'ä🚀x'.repeat(5000)) },
  'texts around the size of a chunk': {
    tree: () => Array.from({ length: 300 }, (_, key) => h('p', { key }, `${'é'.repeat(key)}x`)),
  },
  'an element without content': { tree: () => null },
  'ids in a late part': { tree: seen => suspended(h('p', null, h(Late, seen), hook(React.useId))) },
  identifierPrefix: { tree: () => hook(React.useId), options: { identifierPrefix: 'desk-' } },
  'a lazy component': { tree: () => suspended(h(Lazy)) },
  'an asynchronous component': { tree: () => suspended(h(async () => h('p', null, 'async'))) },
  'a part that is late': { tree: seen => page(suspended(h(Late, seen))) },
  'late parts in late parts': {
    tree: seen =>
      page(suspended(h('div', null, h(Late, seen), suspended(h(Late, { late: delay(20, 'b') }))))),
  },
  'late parts of a table and of a list': {
    tree: seen =>
      page(h('table', null, h('tbody', null, suspended(h('tr', null, h('td', null, h(Late, seen))), '')))),
  },
  'a long part that is there': {
    tree: () => page(...[1, 2].map(key => h(Suspense, { key }, h('p', null, 'x'.repeat(9000))))),
  },
  progressiveChunkSize: {
    tree: () => page(...[1, 2].map(key => h(Suspense, { key }, h('p', null, 'x'.repeat(9000))))),
    options: { progressiveChunkSize: 100 },
  },
  'a shell that waits for data': { tree: seen => page(h(Late, seen)) },
  'static: all is awaited': { tree: seen => page(suspended(h(Late, seen))), mode: 'static' },
  'static, with a part that fails': { tree: seen => suspended(h(BrokenLate, seen)), mode: 'static' },
  'string: the fallback of what suspends': { tree: seen => page(suspended(h(Late, seen))), mode: 'string' },
  'string, with a prefix': {
    tree: () => hook(React.useId),
    options: { identifierPrefix: 's-' },
    mode: 'string',
  },
  'string, which fails': {
    tree: () => h('p', null, h(Broken)),
    mode: 'string',
  },
  'a component of the shell that throws': { tree: () => page(h(Broken)) },
  'an error boundary does not catch': { tree: () => h(Boundary, null, h(Broken)) },
  'a part that throws at once': { tree: () => page(suspended(h(Broken))) },
  'a part that throws late, with a digest': {
    tree: seen => page(suspended(h(BrokenLate, seen))),
    options: { onError: error => (error as { readonly digest: string }).digest },
  },
  'a promise that is rejected': {
    tree: () => suspended(h(Late, { late: delay(5).then(() => fail('rejected')) })),
  },
  'what only the browser can render': {
    tree: () => page(suspended(hook(() => ReactDom.browser()))),
    options: { onBrowserBailout: () => {} },
  },
  'abort before the shell': {
    tree: () => h(Late, { late: never }),
    begin: ({ page }) => void setTimeout(() => page.abort(new Error('enough')), 5),
  },
  'abort after the shell, with a reason': {
    tree: seen => page(suspended(h(Late, seen)), suspended(h(Late, { late: never }))),
    begin: ({ page, late }) => void late.then(() => delay(5)).then(() => page.abort(new Error('enough'))),
    options: { onError: () => 'aborted' },
  },
  'nonce, of scripts and styles': {
    tree: seen => page(h('style', { href: 'a', precedence: 'b' }, 'p{}'), suspended(h(Late, seen))),
    options: { nonce: { script: 'abc', style: 'def' }, bootstrapScriptContent: 'go()' },
  },
  'nonce, one for all': {
    tree: seen => page(suspended(h(Late, seen))),
    options: { nonce: 'abc', bootstrapModules: ['/a.js'] },
  },
  'bootstrap scripts, with their content': {
    tree: () => page('x'),
    options: {
      bootstrapScriptContent: 'a = "</script>"',
      bootstrapScripts: [{ src: '/a.js', integrity: 'sha256-x', crossOrigin: 'anonymous' }, '/b.js'],
      bootstrapModules: ['/c.js'],
      importMap: { imports: { c: '/c.js' } },
    },
  },
  namespaceURI: {
    tree: () => h('a', { xlinkHref: '#a' }),
    options: { namespaceURI: 'http://www.w3.org/2000/svg' },
  },
  formState: {
    tree: () =>
      hook(() => {
        const [state, action] = React.useActionState(count, 1, '/orders')
        return `${state} ${typeof action}`
      }),
    options: { formState: [5, 'k0', 'id', 0] as never },
  },
  'styles of a late part are awaited': {
    tree: seen =>
      page(
        suspended(h('p', null, h('link', { rel: 'stylesheet', href: '/a', precedence: 'x' }), h(Late, seen))),
      ),
  },
  'onHeaders, with a header for links': {
    tree: () => page(hook(() => ReactDom.preconnect('https://b.example'))),
    begin: ({ page }) => {
      page.options.onHeaders = ({ Link }) => {
        page.headers.link = Link ?? ''
      }
    },
  },
  maxHeadersLength: {
    tree: () => page(hook(() => 'abc'.split('').map(each => ReactDom.preload(`/${each}`, { as: 'image' })))),
    begin: ({ page }) => {
      page.options.maxHeadersLength = 60
      page.options.onHeaders = ({ Link }) => {
        page.headers.link = Link ?? ''
      }
    },
  },
  'a transform of the stream': {
    tree: seen => page(suspended(h(Late, seen))),
    options: { transform: stream => stream.pipe(new Upper()) },
  },
  'the store of an AsyncLocalStorage, early and late': {
    tree: seen => [
      h(
        'p',
        { key: 1 },
        hook(() => user.getStore()),
      ),
      suspended(
        h(
          'p',
          null,
          h(Late, seen),
          hook(() => user.getStore()),
        ),
      ),
    ],
    begin: () => user.enterWith('Ada'),
  },
}

export const load = ({ props }: LoadRequest, page: LoadedPage): object => begin(props.name as string, page)

/** Begins a case: it makes the props of its page, and sets its options. */
export function begin(name: string, page: Seen['page'] & { mode?: RenderMode }): object {
  const { options, begin: first, mode } = cases[name] as Case
  Object.assign(page.options, options)
  if (mode) page.mode = mode
  const seen = { page, late: delay(5, 'late') }
  first?.(seen)
  return { name, seen }
}

// biome-ignore lint/style/noDefaultExport: the renderer loads the component by this name
export default ({ name, seen }: { readonly name: string; readonly seen: Seen }): React.ReactNode =>
  cases[name]?.tree(seen)
