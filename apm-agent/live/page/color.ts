/** The present value of `--name` in the style sheet, for a canvas. */
export const color = (name: string): string =>
  getComputedStyle(document.documentElement).getPropertyValue(`--${name}`)
