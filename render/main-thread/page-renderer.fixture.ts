import { createElement, type ReactNode } from 'react'

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

export const Endless = (): ReactNode => {
  for (;;);
}

export const Deadly = (): ReactNode => process.exit(3)
