import { plainNames } from '../../sentences.ts'
import type { Slice } from '../../stage-messages.ts'
import { draw, find, make, setText } from '../dom.ts'
import type { Model } from './model.ts'

/**
 * Draws where the main thread's time goes as light that a prism splits: the beam is as thick as the cost of a request,
 * on the same scale at all steps, and each band as its share. Bands that are too thin for a label are named below.
 * @returns a function that shows the present step
 */
export function createPrism(): (model: Model) => void {
  const svg = find<SVGSVGElement>('#prism svg')
  return ({ steps, step, state }) => {
    const scenario = state?.scenario ?? ''
    const spectrum = step?.spectra[scenario]
    if (!spectrum) {
      setText(find('#prism-source'), step ? `no published profile of ${scenario} at ${step.name}` : '')
      setText(find('#prism-text'), 'nothing')
      find('#thin').replaceChildren()
      svg.replaceChildren(find('#prism-text'))
      return
    }
    const { date, slices, costMicros } = spectrum
    const costs = steps.flatMap(({ spectra }) => spectra[scenario]?.costMicros ?? [])
    setText(find('#prism-source'), `/${scenario}: shares by the profile of ${date}, not of this run`)
    setText(find('#prism-text'), slices.map(describeSlice).join(', '))
    const unlabelled = drawPrism(svg, slices, costMicros / Math.max(...costs))
    find('#thin').replaceChildren(...unlabelled.map(createKey))
  }
}

const percentOf = (share: number) => `${share < 0.01 ? '< 1' : Math.round(share * 100)} %`

const describeSlice = ({ slice, share }: Slice) => `${slice} ${percentOf(share)}`

/** Keys of thin bands: there is room for these, and gc is one of them in any case. */
const MOST_KEYS = 5

function createKey(slice: Slice): HTMLElement {
  const key = make('li', '', describeSlice(slice))
  key.style.setProperty('--own', slice.color)
  return key
}

/** The triangle of glass, in shares of the width and height of the drawing. */
const GLASS = { left: 0.14, right: 0.42, top: 0.03, bottom: 0.94 }
/** The light enters and leaves the glass at this height, and has spread out where the bands begin to be level. */
const LIGHT = { in: 0.5, out: 0.52, spread: 0.3, level: 0.56 }

/**
 * @param thickness of the beam, from 0 to 1
 * @returns thin bands that have no label, and are worth one elsewhere
 */
function drawPrism(svg: SVGSVGElement, slices: readonly Slice[], thickness: number): Slice[] {
  const { width, height } = svg.getBoundingClientRect()
  if (width === 0) return []
  svg.setAttribute('viewBox', `0 0 ${width} ${height}`)
  const total = slices.reduce((sum, { share }) => sum + share, 0)
  const [left, right] = [GLASS.left * width, GLASS.right * width]
  const [tip, base] = [GLASS.top * height, GLASS.bottom * height]
  /** The sides of the glass at a height. */
  const side = (y: number, end: number) =>
    (left + right) / 2 + ((y - tip) / (base - tip)) * (end - (left + right) / 2)
  const half = Math.max(1, thickness * height * 0.2)
  const enter = [LIGHT.in * height - half, LIGHT.in * height + half] as const
  const leave = (share: number) => height * (LIGHT.out + LIGHT.spread * (share - 0.5))
  const level = LIGHT.level * width
  let from = 0
  /** They are above all bands, so that no band covers the feet of letters in the one before. */
  const labels: SVGElement[] = []
  const thin: Slice[] = []
  const bands = slices.map(slice => {
    const [start, end] = [from / total, (from + slice.share) / total]
    from += slice.share
    const [top, bottom] = [start * height, end * height]
    const [out, back] = [leave(start), leave(end)]
    const own = labelsOf(slice, level, width, bottom - top, (top + bottom) / 2)
    if (own.length === 0) thin.push(slice)
    labels.push(...own)
    const upper = [side(out, right), out, level, top, width, top]
    const lower = [width, bottom, level, bottom, side(back, right), back]
    return draw('polygon', { points: [...upper, ...lower].join(' '), fill: slice.color })
  })
  const title = svg.querySelector('#prism-text') as SVGTitleElement
  const [first, last] = [leave(0), leave(1)]
  const above = [side(enter[0], left), enter[0]]
  const below = [side(enter[1], left), enter[1]]
  const shape = (name: string, ...points: number[]) =>
    draw('polygon', { points: points.join(' '), class: name })
  svg.replaceChildren(
    title,
    shape('beam', 0, enter[0], ...above, ...below, 0, enter[1]),
    shape('glow', ...above, side(first, right), first, side(last, right), last, ...below),
    ...bands,
    ...labels,
    shape('glass', (left + right) / 2, tip, right, base, left, base),
  )
  const isGc = ({ slice }: Slice) => slice === 'gc'
  return thin
    .toSorted((one, other) => Number(isGc(other)) - Number(isGc(one)) || other.share - one.share)
    .slice(0, MOST_KEYS)
}

/** The widest letter of the labels, as a share of their size. */
const LETTER = 0.64
const MARGIN = 10

/** The labels of a band; a band without room for letters that can be read has none. */
function labelsOf(
  { slice, share }: Slice,
  left: number,
  right: number,
  height: number,
  y: number,
): SVGElement[] {
  const name = plainNames[slice] ?? slice
  const value = percentOf(share)
  const least = innerHeight / 40
  const letters = name.length + value.length + 1
  const size = Math.min(1.4 * least, height, (right - left - 2 * MARGIN) / (letters * LETTER))
  if (size < least) return []
  const place = { y, 'font-size': size }
  return [
    draw('text', { ...place, x: left + MARGIN, class: 'label' }, name),
    draw('text', { ...place, x: right - MARGIN, class: 'label share' }, value),
  ]
}
