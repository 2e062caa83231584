import type { Page } from 'playwright-core'
import { type Dom, root } from './browser.ts'

export interface Contrast {
  readonly text: string
  readonly color: string
  readonly ground: string
  readonly ratio: number
}

/** Reads the contrast between text and background of each visible element that has text or shows a value. */
export async function readContrasts(page: Page): Promise<Contrast[]> {
  const painted: { text: string; color: string; grounds: string[] }[] = await root(page).evaluate(
    (html: Dom) => {
      const styleOf = (element: Dom) => html.ownerDocument.defaultView.getComputedStyle(element)
      const ownText = ({ childNodes, value }: Dom) =>
        value ?? [...childNodes].map(node => (node.nodeType === 3 ? node.data.trim() : '')).join('')
      const upwards = (element: Dom): Dom[] => (element ? [element, ...upwards(element.parentElement)] : [])
      return [...html.querySelectorAll('body *:not(option, script, style, template)')]
        .filter(element => element.checkVisibility() && ownText(element))
        .map(element => ({
          text: ownText(element),
          color: styleOf(element).color,
          grounds: upwards(element).map((each: Dom) => styleOf(each).backgroundColor),
        }))
    },
  )
  return painted.map(({ text, color, grounds }) => {
    const ground = grounds.find(each => alphaOf(each) > 0) ?? 'rgb(255, 255, 255)'
    return { text, color, ground, ratio: contrast(color, ground) }
  })
}

/** The contrast ratio of WCAG 2.2: https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio */
export function contrast(one: string, other: string): number {
  const [darker, lighter] = [luminance(one), luminance(other)].sort((a, b) => a - b) as [number, number]
  return (lighter + 0.05) / (darker + 0.05)
}

/** @throws when the color is partly transparent, because its contrast then depends on the elements below */
function luminance(color: string): number {
  if (alphaOf(color) < 1) throw new Error(`cannot tell the contrast of ${color}: it is translucent`)
  const [red, green, blue] = channelsOf(color).map(channel => linear(channel / 255)) as [
    number,
    number,
    number,
  ]
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

const linear = (channel: number) =>
  channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4
const channelsOf = (color: string) => (color.match(/[\d.]+/g) ?? []).map(Number)
const alphaOf = (color: string) => channelsOf(color)[3] ?? 1
