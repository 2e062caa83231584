import type { RenderFunction } from '@observablehq/plot'
import { type Slice, slices } from '../spectrum/spectrum.ts'
import { sliceColors } from './palette.ts'
import { type Frame, widthOf } from './plot.ts'

const SVG = 'http://www.w3.org/2000/svg'

/** A legend with the names of the slices in their colours, in as many lines as they need. */
export function slicesLegend(frame: Frame, shown: ReadonlySet<Slice>) {
  const { textPx, widthPx } = frame
  const lineHeightPx = textPx * 1.5
  let [x, line] = [0, 0]
  const entries = slices
    .filter(slice => shown.has(slice))
    .map(slice => {
      const entryPx = widthOf(slice, textPx) + textPx * 1.9
      if (x > 0 && x + entryPx > widthPx) [x, line] = [0, line + 1]
      const entry = { slice, x, y: line * lineHeightPx }
      x += entryPx
      return entry
    })
  const render: RenderFunction = (_index, _scales, _values, _dimensions, context) => {
    const document = context.document as unknown as SvgDocument
    const group = document.createElementNS(SVG, 'g')
    for (const { slice, x, y } of entries) {
      const swatch = document.createElementNS(SVG, 'rect')
      const name = document.createElementNS(SVG, 'text')
      set(swatch, { x, y, width: textPx, height: textPx, rx: textPx / 6, fill: sliceColors[slice].fill })
      set(name, { x: x + textPx * 1.3, y: y + textPx * 0.86, 'text-anchor': 'start' })
      name.textContent = slice
      group.append(swatch, name)
    }
    return group as never
  }
  return { render, heightPx: (line + 1) * lineHeightPx }
}

/** The part of a document that is used here; the types of Node.js do not contain the DOM. */
interface SvgDocument {
  createElementNS(namespace: string, name: string): SvgElement
}
interface SvgElement {
  textContent: string
  append(...children: SvgElement[]): void
  setAttribute(name: string, value: string): void
}

function set(element: SvgElement, attributes: Readonly<Record<string, string | number>>): void {
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value))
}
