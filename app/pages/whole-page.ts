import type { ReactNode } from 'react'
import type { Assets } from './view/data.ts'

interface WithAssets {
  readonly assets: Assets
}

const END = '</body></html>'

/**
 * The page by renderToString, which awaits nothing: all data must be there. It has the same bytes as a page that
 * renderToPipeableStream sends in one piece, with the script of the browser.
 */
export function renderWholePage<Props extends WithAssets>(
  {
    default: App,
    react,
  }: Pick<typeof import('./page.ts'), 'react'> & { readonly default: (props: Props) => ReactNode },
  props: Props,
  nonce: string,
): string {
  const html = react.renderToString(react.createElement(App, props))
  const [head, body] = cutBefore(html, '<title>')
  const { script } = props.assets
  const preload = `<link rel="modulepreload" fetchPriority="low" nonce="${nonce}" href="${script}"/>`
  const bootstrap = `<script type="module" src="${script}" nonce="${nonce}" id="_R_" async=""></script>`
  return `<!DOCTYPE html>${head}${preload}${body.slice(0, -END.length)}${bootstrap}${END}`
}

function cutBefore(text: string, mark: string): [string, string] {
  const at = text.indexOf(mark)
  return [text.slice(0, at), text.slice(at)]
}
