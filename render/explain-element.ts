import type { ReactNode } from 'react'
import { renderToPipeableStream } from 'react-dom/server'

/**
 * The component stack of an element that throws; undefined if the error occurred before any component ran.
 * renderToString does not report it, so the element is rendered once more.
 */
export function explainElement(element: ReactNode): Promise<string | undefined> {
  return new Promise(resolve => {
    const { abort } = renderToPipeableStream(element, {
      onError: (_error, { componentStack }) => resolve(componentStack),
      onShellReady() {
        resolve(undefined)
        abort()
      },
    })
  })
}
