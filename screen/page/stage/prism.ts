import { plainNames } from '../../sentences.ts'
import type { StageStep } from '../../stage-messages.ts'
import { draw, find, setText } from '../dom.ts'
import type { Model } from './model.ts'

type Slices = StageStep['spectrum']

/**
 * Draws where the main thread's time goes as light that a prism splits: the beam is as thick as the cost of a request,
 * on the same scale at all steps, and each band as its share.
 * @returns a function that shows the present step
 */
export function createPrism(): (model: Model) => void {
  const svg = find<SVGSVGElement>('#prism svg')
  return ({ steps, step, setting }) => {
    if (!step || step.spectrum.length === 0) {
      const missing = step ? `no published spectrum of ${step.name}` : 'no step yet'
      setText(find('#prism-source'), step ? missing : '')
      setText(find('#prism-text'), missing)
      svg.replaceChildren(find('#prism-text'))
      return
    }
    setText(
      find('#prism-source'),
      `/demo, ${totalOf(step.spectrum).toLocaleString('en')} µs: the profile of ${setting?.spectrumDate}, not this run`,
    )
    setText(find('#prism-text'), step.spectrum.map(({ slice, micros }) => `${slice} ${micros} µs`).join(', '))
    drawPrism(svg, step.spectrum, Math.max(...steps.map(({ spectrum }) => totalOf(spectrum))))
  }
}

const totalOf = (slices: Slices): number => slices.reduce((sum, { micros }) => sum + micros, 0)

/** The triangle of glass, in shares of the width and height of the drawing. */
const GLASS = { left: 0.14, right: 0.42, top: 0.03, bottom: 0.94 }
/** The light enters and leaves the glass at this height, and has spread out where the bands begin to be level. */
const LIGHT = { in: 0.5, out: 0.52, spread: 0.3, level: 0.56 }

function drawPrism(svg: SVGSVGElement, slices: Slices, most: number): void {
  const { width, height } = svg.getBoundingClientRect()
  if (width === 0) return
  svg.setAttribute('viewBox', `0 0 ${width} ${height}`)
  const total = totalOf(slices)
  const [left, right] = [GLASS.left * width, GLASS.right * width]
  const [tip, base] = [GLASS.top * height, GLASS.bottom * height]
  /** The sides of the glass at a height. */
  const side = (y: number, end: number) =>
    (left + right) / 2 + ((y - tip) / (base - tip)) * (end - (left + right) / 2)
  const half = Math.max(1, (total / most) * height * 0.2)
  const enter = [LIGHT.in * height - half, LIGHT.in * height + half] as const
  const leave = (share: number) => height * (LIGHT.out + LIGHT.spread * (share - 0.5))
  const points = (...places: readonly (readonly [number, number])[]) =>
    places.map(place => place.join()).join(' ')
  const level = LIGHT.level * width
  let from = 0
  /** They are above all bands, so that no band covers the feet of letters in the one before. */
  const labels: SVGElement[] = []
  const bands = slices.map(({ slice, micros, color }) => {
    const [start, end] = [from / total, (from + micros) / total]
    from += micros
    const [top, bottom] = [start * height, end * height]
    const [out, back] = [leave(start), leave(end)]
    const outline = points(
      [side(out, right), out],
      [level, top],
      [width, top],
      [width, bottom],
      [level, bottom],
      [side(back, right), back],
    )
    labels.push(...labelsOf(slice, micros, level, width, bottom - top, (top + bottom) / 2))
    return draw('polygon', { points: outline, fill: color })
  })
  const title = svg.querySelector('#prism-text') as SVGTitleElement
  const [first, last] = [leave(0), leave(1)]
  svg.replaceChildren(
    title,
    draw('polygon', {
      points: points(
        [0, enter[0]],
        [side(enter[0], left), enter[0]],
        [side(enter[1], left), enter[1]],
        [0, enter[1]],
      ),
      class: 'beam',
    }),
    draw('polygon', {
      points: points(
        [side(enter[0], left), enter[0]],
        [side(first, right), first],
        [side(last, right), last],
        [side(enter[1], left), enter[1]],
      ),
      class: 'glow',
    }),
    ...bands,
    ...labels,
    draw('polygon', {
      points: points([(left + right) / 2, tip], [right, base], [left, base]),
      class: 'glass',
    }),
  )
}

/** The widest letter of the labels, as a share of their size. */
const LETTER = 0.57
const MARGIN = 10

/** The labels of a band; a band without room for letters that can be read has none. */
function labelsOf(
  slice: string,
  micros: number,
  left: number,
  right: number,
  height: number,
  y: number,
): SVGElement[] {
  const name = plainNames[slice] ?? slice
  const value = `${Math.round(micros).toLocaleString('en')} µs`
  const least = innerHeight / 40
  const letters = name.length + value.length + 1
  const size = Math.min(1.4 * least, height, (right - left - 2 * MARGIN) / (letters * LETTER))
  if (size < least) return []
  const place = { y, 'font-size': size }
  return [
    draw('text', { ...place, x: left + MARGIN, class: 'label' }, name),
    draw('text', { ...place, x: right - MARGIN, class: 'label micros' }, value),
  ]
}
