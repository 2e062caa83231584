import { Transform, type TransformCallback } from 'node:stream'
import { createElement as h, type ReactNode, Suspense, use } from 'react'
import { preconnect } from 'react-dom'
import type { LoadedPage, LoadRequest, StreamOptions } from '../app-module.ts'

/** A page that uses the options of React. */

const Late = ({ late }: { late: Promise<string> }): ReactNode => use(late)

const Broken = (): ReactNode => {
  throw Object.assign(new Error('a secret'), { digest: 'D42' })
}

export const options: StreamOptions = {
  onError: error => (error as { readonly digest?: string }).digest,
}

export function load({ url, props }: LoadRequest, page: LoadedPage): object {
  if (url === '/hints') page.options.onHeaders = ({ Link }) => page.hint(Link)
  if (url === '/bad-hint') page.hint('no link')
  if (url === '/bad-mode') page.mode = 'fast' as never
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
  return { url, late: props.late }
}

const failAfter = (begun: unknown) => (done: TransformCallback) =>
  void Promise.resolve(begun).then(() => done(new RangeError('half on purpose')))

class Upper extends Transform {
  override _transform(chunk: Uint8Array, _: string, done: (error: null, out: string) => void): void {
    done(null, String(chunk).toUpperCase())
  }
}

// biome-ignore lint/style/noDefaultExport: the renderer loads the component by this name
export default function Page({ url, late }: { url: string; late?: Promise<string> }): ReactNode {
  preconnect('https://fonts.example')
  preconnect('https://images.example')
  if (url.startsWith('/shell-throws')) throw Object.assign(new Error('no shell'), { statusCode: 503 })
  if (late && url !== '/late-part') use(late)
  if (late) return h('p', null, h(Suspense, { fallback: 'waiting' }, h(Late, { late })))
  return h('p', null, 'before ', h(Suspense, { fallback: 'waiting' }, h(Broken)))
}
