import { draw, find, setText } from '../dom.ts'
import type { Model } from './model.ts'

/**
 * Draws what each step serves on more cores as a bar, and what the talk of 2018 had as a line across it, both in multiples
 * of the first step.
 * @returns a function that shows the present step
 */
export function createCores(): (model: Model) => void {
  const svg = find<SVGSVGElement>('#cores svg')
  return ({ setting, state }) => {
    if (!setting) return
    const { cores, date, steps, talk } = setting.moreCores
    setText(find('#cores h2'), `Answers a second on ${cores} cores`)
    setText(
      find('#cores p'),
      `Run of ${date}. Lines: what the talk of 2018 claimed, while a bug of its pools let one result answer two requests`,
    )
    const { width, height } = svg.getBoundingClientRect()
    if (width === 0) return
    svg.setAttribute('viewBox', `0 0 ${width} ${height}`)
    const columnWidth = width / steps.length
    const fontPixels = Math.min(innerHeight / 40, columnWidth * 0.34)
    const floor = height - fontPixels - 8
    const top = Math.max(...talk, ...steps.map(({ times }) => times))
    const y = (times: number) => floor - (times / top) * (floor - fontPixels - 8)
    svg.replaceChildren(
      ...steps.flatMap(({ number, goodput, times }, index) => {
        const [x, middle] = [index * columnWidth, (index + 0.5) * columnWidth]
        const then = talk[index]
        const bar = { x: x + 4, y: y(times), width: columnWidth - 8, height: floor - y(times), rx: 4 }
        return [
          draw('rect', { ...bar, class: number === state?.step ? 'served now' : 'served' }),
          ...(then === undefined
            ? []
            : [
                draw('line', { x1: x + 2, x2: x + columnWidth - 2, y1: y(then), y2: y(then), class: 'then' }),
              ]),
          draw('text', { x: middle, y: y(Math.max(times, then ?? 0)) - 6 }, Math.round(goodput).toString()),
          draw('text', { x: middle, y: height - 4 }, String(number)),
        ]
      }),
    )
    for (const text of svg.querySelectorAll('text')) text.setAttribute('font-size', String(fontPixels))
    const told = steps.map(({ number, goodput }) => `step ${number} ${Math.round(goodput)}`).join(', ')
    svg.ariaLabel = `Answers a second: ${told}`
  }
}
