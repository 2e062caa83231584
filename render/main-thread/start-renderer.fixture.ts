import { text } from 'node:stream/consumers'
import type { TestContext } from 'node:test'
import { createRenderer, type PageRequest, type RenderError, type RendererOptions } from './index.ts'

/**
 * Starts one thread for the pages of a fixture, which ends with the test.
 * @param module its file, and a query
 * @returns what the renderer tells of errors, with their pages
 */
export async function startRenderer(
  t: Pick<TestContext, 'after'>,
  module: string,
  options: Partial<RendererOptions> = {},
) {
  const errors: RenderError[] = []
  const urls: string[] = []
  const renderer = await createRenderer({
    app: new URL(module, import.meta.url),
    threads: 1,
    workerPriority: 0,
    onError(error, { url }) {
      errors.push(error)
      urls.push(url)
    },
    ...options,
  })
  t.after(() => renderer.close({ graceMs: 0 }))
  const html = async (url: string, rest: Partial<PageRequest> = {}) =>
    text((await renderer.stream({ url, ...rest })).body)
  return { renderer, html, errors, urls, codes: () => errors.map(({ code }) => code) }
}
