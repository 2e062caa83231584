import type { ReactNode } from 'react'
import type { ReactServer } from './app-module.ts'
import type { PageInMaking } from './page-report.ts'

/** Makes a page with `renderToString`. @throws what a component throws */
export function renderString(react: ReactServer, element: ReactNode, page: PageInMaking): void {
  const { report, output } = page
  const html = react.renderToString(element, report.options)
  report.noteShell()
  const hasBody = report.noteHead()
  report.noteReady()
  if (hasBody) output.write(html.startsWith('<html') ? `<!DOCTYPE html>${html}` : html)
  page.end()
}
