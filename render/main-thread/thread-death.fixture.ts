import { createElement as h, type ReactNode } from 'react'
import type { LoadRequest } from '../app-module.ts'

/**
 * A page that counts in shared memory how often its data was asked for, and waits for it at the first time. `/held` blocks its
 * thread until it is let go.
 */

interface Props {
  readonly state: Int32Array<SharedArrayBuffer>
}

export const repeatable = new URL(import.meta.url).searchParams.has('repeatable')

export async function load({ url, props }: LoadRequest): Promise<object> {
  const { state } = props as unknown as Props
  if (url === '/held') {
    Atomics.store(state, 0, 1)
    Atomics.notify(state, 0)
    Atomics.wait(state, 1, 0)
  } else if (url === '/bug') setImmediate(() => Promise.reject(new TypeError('nobody waits for this')))
  else if (Atomics.add(state, 0, 1) === 0) {
    Atomics.notify(state, 0)
    await new Promise(() => {})
  }
  return url === '/bug' ? new Promise(() => {}) : {}
}

// biome-ignore lint/style/noDefaultExport: the renderer loads the component by this name
export default (): ReactNode => h('p', null, 'made')
