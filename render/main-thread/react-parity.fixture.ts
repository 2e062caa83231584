import { AsyncLocalStorage } from 'node:async_hooks'
import { Transform } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import * as React from 'react'
import * as ReactDom from 'react-dom'
import type { LoadedPage, LoadRequest, RenderMode, StreamOptions } from '../app-module.ts'

/** The behaviours of React's renderer: a tree of each, and the options with which it is rendered. */

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
const Theme = React.createContext('light')
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
const attributes =
  (type: string, props: object, ...children: React.ReactNode[]) =>
  () =>
    h(type, props, ...children)

class Boundary extends React.Component<React.PropsWithChildren> {
  override state = { failed: false }
  static getDerivedStateFromError = () => ({ failed: true })
  override render = () => (this.state.failed ? 'failed' : this.props.children)
}

class Derived extends React.Component<{ readonly by: number }, { readonly sum: number }> {
  static override contextType = Theme
  override state = { sum: 1 }
  static getDerivedStateFromProps = ({ by }: { by: number }, { sum }: { sum: number }) => ({ sum: sum + by })
  override render = () => `${this.state.sum} ${this.context}`
}

class Upper extends Transform {
  override _transform(chunk: Uint8Array, _: string, done: (error: null, out: string) => void): void {
    done(null, String(chunk).toUpperCase())
  }
}

const form = { action: '/orders', method: 'post' }
const Pending = () => h('p', null, String(ReactDom.useFormStatus().pending))
const Memo = React.memo(() => 'memo')
const WithRef = React.forwardRef((_, ref) => h('p', { ref }))
const Themed = () => h('p', null, use(Theme))
const User = () => h('p', null, String(user.getStore()))
const subscribe = () => fail()
const [onClient, onServer] = [() => 'client', () => 'server']
const linkHeader = ({ page }: Seen) => {
  page.options.onHeaders = ({ Link }) => {
    page.headers.link = Link ?? ''
  }
}
const count = (state: number) => state + 1

export const cases: Readonly<Record<string, Case>> = {
  'text is escaped': { tree: () => h('p', null, '<a> & "b" \'c\'') },
  'texts beside each other are parted': { tree: () => h('p', null, 'a', 'b', 1, 2n, null, true, 'c') },
  'text beyond ASCII, and halves of it': { tree: () => h('p', null, 'äöü 漢字 🚀 \uD83D end', '\uDE80') },
  'long text': { tree: () => h('p', null, 'ä🚀x'.repeat(5000)) },
  'texts around the size of a chunk': {
    tree: () => Array.from({ length: 300 }, (_, key) => h('p', { key }, `${'é'.repeat(key)}x`)),
  },
  'attributes are escaped': { tree: attributes('a', { href: '/?a=1&b="2"', title: "<'>", 'data-n': 0 }) },
  'boolean and odd attributes': {
    tree: attributes('input', {
      disabled: true,
      hidden: false,
      download: '',
      value: null,
      'aria-busy': false,
    }),
  },
  'a style': {
    tree: attributes('p', { style: { marginTop: 3, flexGrow: 2, '--x': 'y', WebkitTransition: 'all' } }),
  },
  'HTML given as such': { tree: attributes('div', { dangerouslySetInnerHTML: { __html: '<b>&amp;</b>' } }) },
  'a custom element': { tree: attributes('my-part', { className: 'a', 'on-x': 'y', data: true }, 'x') },
  'SVG and MathML': {
    tree: () =>
      h('svg', { viewBox: '0 0 1 1' }, h('use', { xlinkHref: '#a' }), h('foreignObject', null, 'x')),
  },
  'fields of a form': {
    tree: () => [
      h('input', { key: 1, defaultValue: 'a', type: 'text' }),
      h('textarea', { key: 2, defaultValue: '\nb' }),
      h('select', { key: 3, defaultValue: 'd' }, h('option', { value: 'c' }), h('option', null, 'd')),
      h('input', { key: 4, type: 'checkbox', defaultChecked: true }),
    ],
  },
  'fragments and iterables': {
    tree: () => h(React.Fragment, null, new Set(['a', 'b']), [[h('i', { key: 1 })], 'c']),
  },
  'an element without content': { tree: () => null },
  'a component without content': { tree: () => h((): React.ReactNode => undefined) },
  'a class': { tree: () => h(Theme, { value: 'dark' }, h(Derived, { by: 2 })) },
  'memo, forwardRef and a ref': {
    tree: () => [h(Memo, { key: 1 }), h(WithRef, { key: 2, ref: React.createRef() })],
  },
  'state and a reducer': {
    tree: () => hook(() => [React.useState(() => 3)[0], React.useReducer(count, 4)[0]]),
  },
  'an update while it renders': {
    tree: () =>
      hook(() => {
        const [state, set] = React.useState(0)
        if (state < 3) set(count)
        return state
      }),
  },
  'memos and refs': { tree: () => hook(() => React.useMemo(() => 1, []) + React.useRef(2).current) },
  'effects do not run': { tree: () => hook(() => React.useEffect(fail)) },
  'an external store': {
    tree: () => hook(() => React.useSyncExternalStore(subscribe, onClient, onServer)),
  },
  'an external store without a snapshot': {
    tree: () => hook(() => React.useSyncExternalStore(subscribe, onClient)),
  },
  'deferred values and transitions': {
    tree: () => hook(() => [React.useDeferredValue('last', 'first'), React.useTransition()[0]]),
  },
  'optimistic values': { tree: () => hook(() => React.useOptimistic('now')[0]) },
  'ids in a tree': {
    tree: () => [1, 2, 3].map(key => h(() => h('p', { id: React.useId() }, hook(React.useId)), { key })),
  },
  'ids in a late part': { tree: seen => suspended(h('p', null, h(Late, seen), hook(React.useId))) },
  identifierPrefix: { tree: () => hook(React.useId), options: { identifierPrefix: 'desk-' } },
  'a context': { tree: () => h(Theme, { value: 'dark' }, h(Themed)) },
  'a consumer of a context': { tree: () => h(Theme.Consumer, { children: theme => h('p', null, theme) }) },
  'strict mode and a profiler': {
    tree: () => h(React.StrictMode, null, h(React.Profiler, { id: 'a', onRender: () => {} }, h('p'))),
  },
  'hidden and visible activities': {
    tree: () => [
      h(React.Activity, { key: 1, mode: 'hidden', children: h('p', null, 'hidden') }),
      h(React.Activity, { key: 2, children: h('p', null, 'visible') }),
    ],
  },
  'a view transition': { tree: () => h(React.ViewTransition, { name: 'a' }, h('p')) },
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
  'an object as a child': { tree: () => h('p', null, { a: 1 } as never) },
  'an element of no type': { tree: () => h(undefined as never) },
  'a portal': { tree: () => ReactDom.createPortal('x', { nodeType: 1 } as never) as React.ReactNode },
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
  'the status of a form, and its action': { tree: () => h('form', form, h(Pending)) },
  'a form whose action is a function': { tree: () => h('form', { action: () => {} }, h('button')) },
  'title, meta and link go to the head': {
    tree: () =>
      page(h('title', null, 'late'), h('meta', { name: 'a' }), h('link', { rel: 'icon', href: '/i' })),
  },
  'styles of a late part are awaited': {
    tree: seen =>
      page(
        suspended(h('p', null, h('link', { rel: 'stylesheet', href: '/a', precedence: 'x' }), h(Late, seen))),
      ),
  },
  'scripts are sent once': {
    tree: () => page(...[1, 2].map(key => h('script', { key, async: true, src: '/a.js' }))),
  },
  'preloads of all kinds': {
    tree: () =>
      page(
        hook(() => {
          ReactDom.prefetchDNS('https://a.example')
          ReactDom.preconnect('https://b.example', { crossOrigin: 'anonymous' })
          ReactDom.preload('/c.woff2', { as: 'font', crossOrigin: '' })
          ReactDom.preinit('/d.css', { as: 'style', precedence: 'x' })
          ReactDom.preinitModule('/e.js')
        }),
      ),
  },
  'onHeaders, with a header for links': {
    tree: () => page(hook(() => ReactDom.preconnect('https://b.example'))),
    begin: linkHeader,
  },
  maxHeadersLength: {
    tree: () => page(hook(() => 'abc'.split('').map(each => ReactDom.preload(`/${each}`, { as: 'image' })))),
    options: { maxHeadersLength: 60 },
    begin: linkHeader,
  },
  'a transform of the stream': {
    tree: seen => page(suspended(h(Late, seen))),
    options: { transform: stream => stream.pipe(new Upper()) },
  },
  'the store of an AsyncLocalStorage, early and late': {
    tree: seen => [h(User, { key: 1 }), suspended(h('p', null, h(Late, seen), h(User)))],
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
