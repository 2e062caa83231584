import type { ReactNode } from 'react'
import type { Assets } from './view/data.ts'

const END = '</body></html>'

/**
 * The page by renderToString, which awaits nothing: all data must be there. It has the same bytes as a page that
 * renderToPipeableStream sends in one piece, with the script of the browser.
 */
export function renderWholePage<Props extends { readonly assets: Assets }>(
  {
    default: App,
    react,
  }: Pick<typeof import('./page.ts'), 'react'> & { readonly default: (props: Props) => ReactNode },
  props: Props,
  nonce: string,
): string {
  const html = react.renderToString(react.createElement(App, props))
  const titleAt = html.indexOf('<title>')
  const { script } = props.assets
  const preload = `<link rel="modulepreload" fetchPriority="low" nonce="${nonce}" href="${script}"/>`
  const bootstrap = `<script type="module" src="${script}" nonce="${nonce}" id="_R_" async=""></script>`
  return `<!DOCTYPE html>${html.slice(0, titleAt)}${preload}${html.slice(titleAt, -END.length)}${bootstrap}${END}`
}
