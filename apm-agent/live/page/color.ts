/** What the style sheet's `--name` is at the moment, as a canvas takes it. */
export const color = (name: string): string =>
  getComputedStyle(document.documentElement).getPropertyValue(`--${name}`)
