import { make } from '../dom.ts'
import type { Line } from './line.ts'

/** The colours that scripts read. They are registered, so that scripts read what light-dark() and themes make of them. */
const ofLines = ['goodput', 'bad', 'p50', 'p99', 'main', 'compute', 'rendering']
const others = ['quiet', 'line', 'fault', 'mark']
for (const name of [...ofLines, ...others])
  CSS.registerProperty({ name: `--${name}`, syntax: '<color>', inherits: true, initialValue: 'gray' })

/** The present value of `--name` in the style sheet, for a canvas. */
export const color = (name: string): string =>
  getComputedStyle(document.documentElement).getPropertyValue(`--${name}`)

/** A text in the colour of a line. */
export function colored(className: string, line: Line, text: string): HTMLElement {
  const element = make('span', className, text)
  element.style.color = `var(--${line.color})`
  return element
}
