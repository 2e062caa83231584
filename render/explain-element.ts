import type { ReactNode } from 'react'
import type { ReactServer } from './app-module.ts'

/** React reports what an aborted element waited for within this number of turns of the event loop. */
const TURNS = 2

/**
 * The component stack of an element that throws or suspends; undefined if the error occurred before any component ran.
 * renderToString does not report it, so the element is rendered once more, and never waited for.
 */
export function explainElement(
  { renderToPipeableStream }: ReactServer,
  element: ReactNode,
): Promise<string | undefined> {
  return new Promise(resolve => {
    const { abort } = renderToPipeableStream(element, {
      onError: (_error, { componentStack }) => resolve(componentStack),
    })
    // React renders in a microtask. What has not thrown then waits for something: React reports that as an error, too,
    // when it is aborted. Aborted later, an element that waits for a new settled promise each time would never end.
    queueMicrotask(abort)
    const giveUp = (turns: number): void => {
      if (turns === 0) resolve(undefined)
      else setImmediate(giveUp, turns - 1)
    }
    giveUp(TURNS)
  })
}
