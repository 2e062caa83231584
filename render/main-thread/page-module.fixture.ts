import { Transform, type TransformCallback } from 'node:stream'
import { createElement as h, type ReactNode, Suspense } from 'react'
import { preconnect } from 'react-dom'
import type { LoadedPage, LoadRequest, StreamOptions } from '../app-module.ts'

/** A page that uses the options of React. */

const Broken = (): ReactNode => {
  throw Object.assign(new Error('a secret'), { digest: 'D42' })
}

export const options: StreamOptions = {
  identifierPrefix: 'p-',
  onError: error => (error as { readonly digest?: string }).digest,
}

export function load({ url, props }: LoadRequest, page: LoadedPage): object {
  if (url === '/headers')
    page.options.onHeaders = ({ Link }) => {
      page.headers.link = Link ?? ''
    }
  if (url === '/throwing-onError')
    page.options.onError = () => {
      throw new Error('on purpose')
    }
  if (url === '/upper') page.options.transform = stream => stream.pipe(new Upper())
  if (url === '/no-transform')
    page.options.transform = () => {
      throw new RangeError('on purpose')
    }
  if (url === '/half-transform')
    page.options.transform = stream => stream.pipe(new Upper({ flush: failAfter(props.begun) }))
  if (url === '/endless-transform') page.options.transform = stream => stream.pipe(new Upper({ flush() {} }))
  return {}
}

const failAfter = (begun: unknown) => (done: TransformCallback) =>
  void Promise.resolve(begun).then(() => done(new RangeError('half on purpose')))

class Upper extends Transform {
  override _transform(chunk: Uint8Array, _: string, done: (error: null, out: string) => void): void {
    done(null, String(chunk).toUpperCase())
  }
}

// biome-ignore lint/style/noDefaultExport: the renderer loads the component by this name
export default function Page(): ReactNode {
  preconnect('https://fonts.example')
  return h('p', null, 'before ', h(Suspense, { fallback: 'waiting' }, h(Broken)))
}
