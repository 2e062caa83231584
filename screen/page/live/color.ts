/** The colours that scripts read. They are registered, so that scripts read what light-dark() and themes make of them. */
const names = [
  'quiet',
  'line',
  'goodput',
  'bad',
  'p50',
  'p99',
  'main',
  'compute',
  'rendering',
  'fault',
  'mark',
]
for (const name of names)
  CSS.registerProperty({ name: `--${name}`, syntax: '<color>', inherits: true, initialValue: 'gray' })

/** The present value of `--name` in the style sheet, for a canvas. */
export const color = (name: string): string =>
  getComputedStyle(document.documentElement).getPropertyValue(`--${name}`)
