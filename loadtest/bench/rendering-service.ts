import { createServer } from 'node:http'
import { isMainThread } from 'node:worker_threads'
import { createElement as h, type ReactNode, Suspense, use } from 'react'
import { renderToPipeableStream } from 'react-dom/server'
import { listen } from '../../lib/http/listen.ts'
import type { LoadRequest } from '../../render/app-module.ts'
import { createRenderer } from '../../render/main-thread/index.ts'
import type { PageShell } from '../../render/page-shell.ts'

/** A service that renders a page on the main thread, in a thread, or from a shell in a thread. It is the page's module, too. */

interface Props {
  readonly cards: number
  readonly user: Promise<string>
}

/** What the main thread and the process have used, in microseconds. */
export interface Cpu {
  readonly main: number
  readonly total: number
}

const never = new Promise<never>(() => {})
const propsOf = (url: string, user: Promise<string>): Props => ({ cards: Number(url.split('/')[2]), user })

export const load = ({ url }: LoadRequest): Props => propsOf(url, Promise.resolve('Ada'))
export const shell = ({ url }: LoadRequest): PageShell<Props> | undefined =>
  url.startsWith('/shell/') ? { key: url, props: propsOf(url, never) } : undefined

const Card = ({ id }: { readonly id: number }): ReactNode =>
  h(
    'article',
    { className: 'card', id: `card-${id}` },
    h('h2', null, 'Order ', id),
    h('p', { className: 'city' }, 'Berlin, ', id * 3, ' items'),
    h(
      'ul',
      null,
      [1, 2, 3].map(key => h('li', { key }, 'item ', key)),
    ),
    h('a', { href: `/orders/${id}` }, 'open'),
  )

const User = ({ user }: Pick<Props, 'user'>): ReactNode => h('b', null, use(user))

// biome-ignore lint/style/noDefaultExport: the renderer loads the component by this name
export default function Page({ cards, user }: Props): ReactNode {
  return h(
    'html',
    null,
    h('head', null, h('title', null, 'Orders')),
    h(
      'body',
      null,
      Array.from({ length: cards }, (_, id) => h(Card, { key: id, id })),
      h(Suspense, null, h(User, { user })),
    ),
  )
}

async function serve(): Promise<void> {
  const app = new URL(import.meta.url)
  const renderer = await createRenderer({ app, threads: 1, workerPriority: 0 })
  const server = createServer((request, response) => {
    const { url = '' } = request
    if (!url.startsWith('/main/')) return void renderer.reply(request, response)
    const stream = renderToPipeableStream(h(Page, propsOf(url, Promise.resolve('Ada'))), {
      onShellReady() {
        response.setHeader('content-type', 'text/html; charset=utf-8')
        stream.pipe(response)
      },
    })
  })
  const sum = ({ user, system }: NodeJS.CpuUsage) => user + system
  process.on('message', () =>
    process.send?.({ main: sum(process.threadCpuUsage()), total: sum(process.cpuUsage()) } satisfies Cpu),
  )
  process.on('disconnect', () => process.exit())
  process.send?.(await listen(server, '127.0.0.1', 0))
}

if (isMainThread) await serve()
