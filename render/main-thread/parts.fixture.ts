import { createElement, type ReactNode, use } from 'react'

/** Components as a service may have them. */

export const Title = ({ text }: { readonly text: string }): ReactNode => createElement('h1', null, text)

export const List = ({ items }: { readonly items: readonly string[] }): ReactNode =>
  createElement(
    'ul',
    null,
    items.map(item => createElement('li', { key: item }, item)),
  )

export const Broken = (): ReactNode => {
  throw new RangeError('on purpose')
}

/** Says that it has begun, and ends when it is let go. Both happen in shared memory. */
export const Held = ({ state }: { readonly state: Int32Array<SharedArrayBuffer> }): ReactNode => {
  Atomics.add(state, 0, 1)
  Atomics.notify(state, 0)
  Atomics.wait(state, 1, 0)
  return null
}

export const Deadly = (): ReactNode => process.exit(3)

const never = new Promise<never>(() => {})

/** Waits for data that never comes. */
export const Waiting = (): ReactNode => use(never)

/** Throws a value that has no text. */
export const Odd = (): ReactNode => {
  throw Object.create(null)
}
