import type { StageStep } from '../protocol.ts'
import { draw, find, setText } from './dom.ts'
import type { Model } from './model.ts'

type Slices = StageStep['spectrum']

const MOVE_MS = 700
/** A band of fewer pixels has no label. */
const LABEL_PIXELS = 15
const prefersStillness = matchMedia('(prefers-reduced-motion: reduce)')

/**
 * Draws where the main thread's time goes as light that a prism splits: the beam is as thick as the cost of a request,
 * on the same scale at all steps, and each band as its share.
 * @returns a function that shows the present step
 */
export function createPrism(): (model: Model) => void {
  const svg = find<SVGSVGElement>('#prism svg')
  let shown = new Map<string, number>()
  let target: StageStep | undefined
  let frame = 0

  function moveTo(step: StageStep, most: number): void {
    const from = shown
    const startedAtMs = performance.now()
    cancelAnimationFrame(frame)
    const next = () => {
      const done = prefersStillness.matches ? 1 : Math.min(1, (performance.now() - startedAtMs) / MOVE_MS)
      const eased = 1 - (1 - done) ** 3
      const wanted = new Map(step.spectrum.map(({ slice, micros }) => [slice, micros]))
      const names = new Set([...from.keys(), ...wanted.keys()])
      shown = new Map(
        [...names].map(name => {
          const [was, will] = [from.get(name) ?? 0, wanted.get(name) ?? 0]
          return [name, was + (will - was) * eased]
        }),
      )
      drawPrism(svg, shown, most)
      if (done < 1) frame = requestAnimationFrame(next)
    }
    next()
  }

  return ({ steps, state, setting }) => {
    for (const { slice, color } of steps.flatMap(({ spectrum }) => spectrum)) colors.set(slice, color)
    const step = steps.find(({ number }) => number === state?.step)
    const most = Math.max(...steps.map(({ spectrum }) => totalOf(spectrum)))
    if (!step || step.spectrum.length === 0) {
      find('#prism').classList.add('empty')
      return
    }
    setText(
      find('#prism-source'),
      `${step.name}: ${totalOf(step.spectrum).toLocaleString('en')} µs, published ${setting?.spectrumDate}`,
    )
    setText(find('#prism-text'), step.spectrum.map(({ slice, micros }) => `${slice} ${micros} µs`).join(', '))
    if (target?.number === step.number && svg.childElementCount > 1) return
    target = step
    moveTo(step, most)
  }
}

const colors = new Map<string, string>()

const totalOf = (slices: Slices): number => slices.reduce((sum, { micros }) => sum + micros, 0)

function drawPrism(svg: SVGSVGElement, slices: ReadonlyMap<string, number>, most: number): void {
  const { width, height } = svg.getBoundingClientRect()
  if (width === 0) return
  svg.setAttribute('viewBox', `0 0 ${width} ${height}`)
  const total = [...slices.values()].reduce((sum, micros) => sum + micros, 0)
  const [left, right, tip] = [width * 0.16, width * 0.4, height * 0.12]
  const middle = height / 2
  const beam = Math.max(2, (total / most) * height * 0.5)
  const face = (share: number) => middle - height * 0.16 + share * height * 0.32
  let from = 0
  const bands = [...slices].flatMap(([slice, micros]) => {
    const [start, end] = [from / total, (from + micros) / total]
    from += micros
    const [top, bottom] = [start * height, end * height]
    const path = `M${right - width * 0.1} ${face(start)}L${width * 0.62} ${top}H${width}V${bottom}H${width * 0.62}L${right - width * 0.1} ${face(end)}Z`
    const band = draw('path', { d: path, fill: colors.get(slice) ?? 'gray' })
    if (bottom - top < LABEL_PIXELS) return band
    const size = Math.min(20, bottom - top - 2)
    const y = (top + bottom) / 2
    return [
      band,
      draw('text', { x: width * 0.64, y, 'font-size': size, class: 'label' }, slice),
      draw('text', { x: width - 8, y, 'font-size': size, class: 'label micros' }, String(Math.round(micros))),
    ]
  })
  const triangle = `${(left + right) / 2},${tip} ${right},${height - tip} ${left},${height - tip}`
  const title = svg.querySelector('#prism-text') as SVGTitleElement
  svg.replaceChildren(
    title,
    draw('rect', { x: 0, y: middle - beam / 2, width: (left + right) / 2 - 4, height: beam, class: 'beam' }),
    ...bands,
    draw('polygon', { points: triangle, class: 'glass' }),
  )
}
