import type { ReactNode } from 'react'
import type { ReactServer } from './app-module.ts'
import { explainElement } from './explain-element.ts'
import type { PageInMaking } from './page-thread.ts'

/** Makes a page with `renderToString`. */
export function renderString(react: ReactServer, element: ReactNode, page: PageInMaking): void {
  const { report, output } = page
  let html: string
  try {
    html = react.renderToString(element, report.options)
  } catch (error) {
    return void explain(error, react, element, page)
  }
  report.noteShell()
  const hasBody = report.noteHead()
  report.noteReady()
  if (hasBody) output.write(html.startsWith('<html') ? `<!DOCTYPE html>${html}` : html)
  page.end()
}

/** `renderToString` does not tell in which component it failed. */
async function explain(
  error: unknown,
  react: ReactServer,
  element: ReactNode,
  page: PageInMaking,
): Promise<void> {
  const componentStack = await explainElement(react, element).catch(() => undefined)
  page.report.noteThrown({ error, componentStack })
  page.fail(error)
}
