import { AsyncLocalStorage } from 'node:async_hooks'
import { setImmediate as turn } from 'node:timers/promises'
import { createElement as h, type ReactNode, Suspense, use } from 'react'
import type { LoadRequest } from '../app-module.ts'

/** A page that is made for a user, whom its components know from an AsyncLocalStorage. */

const users = new AsyncLocalStorage<string>()

interface Props {
  readonly user: string
  readonly late: Promise<void>
}

/** `/run/NAME` is a user of `run`, `/enter/NAME` one of `enterWith`, and `/nobody` has none. */
const userOf = ({ url }: LoadRequest) => url.split('/')[2] ?? 'nobody'

export async function around(request: LoadRequest, next: () => void): Promise<void> {
  if (!request.url.startsWith('/run/')) return next()
  await turn()
  users.run(userOf(request), next)
}

export async function load(request: LoadRequest): Promise<Props> {
  if (request.url.startsWith('/enter/')) users.enterWith(userOf(request))
  await turn()
  return { user: userOf(request), late: turn() }
}

const Seen = ({ user }: Pick<Props, 'user'>): ReactNode =>
  h('b', null, `${user} ${users.getStore() ?? 'nobody'}`)

function Late({ user, late }: Props): ReactNode {
  use(late)
  return h(Seen, { user })
}

// biome-ignore lint/style/noDefaultExport: the renderer loads the component by this name
export default (props: Props): ReactNode =>
  h('p', null, h(Seen, props), h(Suspense, { fallback: null }, h(Late, props)))
