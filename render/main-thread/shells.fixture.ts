import { AsyncLocalStorage } from 'node:async_hooks'
import { createElement as h, type ReactNode, Suspense, use, useId } from 'react'
import type { LoadRequest, StreamOptions } from '../app-module.ts'
import type { PageShell } from '../page-shell.ts'

/** A page with a shell for all users, and a part for one. */

interface Props {
  readonly what: string
  readonly name: Promise<string>
}

const users = new AsyncLocalStorage<string>()
let made = 0
let failed = 0
let read = 0

export const options: StreamOptions = { bootstrapModules: ['/client.js'], nonce: 'N1' }
export const around = ({ url }: LoadRequest, next: () => void): void => users.run(url, next)

export function shell({ url }: LoadRequest): PageShell<Props> | undefined {
  const [, key = ''] = url.split('/')
  const name = new Promise<string>(() => {})
  if (key === 'odd') return { key, props: oddProps(name) }
  return key === 'none' ? undefined : { key, props: { what: key, name } }
}

/** They throw when they are read for the first time. */
const oddProps = (name: Promise<string>): Props => ({
  name,
  get what() {
    if (read++ === 0) throw new Error('the first props fail')
    return 'odd'
  },
})

export async function load({ url }: LoadRequest): Promise<Props | Response> {
  const [, what = '', name = ''] = url.split('/')
  if (name === 'nobody') return Response.redirect('https://example.com/')
  return { what, name: Promise.resolve(name) }
}

/** It is rendered in the shell only. */
function Static({ what }: Pick<Props, 'what'>): ReactNode {
  if (what === 'endless') for (;;);
  if (what === 'ending') setImmediate(() => Promise.reject(new Error('nobody waits for this')))
  if (what === 'broken' && failed++ === 0) throw new Error('the first shell fails')
  return h('p', null, `${what} ${++made} ${users.getStore()}`)
}

const User = ({ name }: Pick<Props, 'name'>): ReactNode => h('b', { id: useId() }, use(name))

// biome-ignore lint/style/noDefaultExport: the renderer loads the component by this name
export default ({ what, name }: Props): ReactNode =>
  h(
    'html',
    null,
    h(
      'body',
      null,
      h(Static, { what }),
      what === 'whole' ? null : h(Suspense, { fallback: 'waiting' }, h(User, { name })),
    ),
  )
