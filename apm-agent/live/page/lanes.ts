import type { Update } from '../update.ts'
import { type Chart, createChart } from './chart.ts'
import { formatPercent } from './format.ts'
import type { Points } from './points.ts'

interface Lane {
  readonly element: HTMLElement
  readonly figure: HTMLElement
  readonly chart: Chart
}

/** A strip for each thread: its share of a core. Threads of an ended app stay as long as the charts show them. */
export class Lanes {
  readonly #parent: HTMLElement
  readonly #lanes = new Map<string, Lane>()

  constructor(parent: HTMLElement) {
    this.#parent = parent
  }

  /** Shows the figures beside the strips; dashes without a current update. */
  show(update: Update | undefined): void {
    for (const [name, { figure, element }] of this.#lanes) {
      const share = update?.lanes.find(lane => lane.name === name)?.share
      figure.textContent = share === undefined ? '–' : `${formatPercent(share)} %`
      element.classList.toggle('gone', share === undefined)
    }
  }

  draw(points: Points, rangeMs: number): void {
    const updates = points.since(points.nowMs - rangeMs)
    const names = new Set(updates.flatMap(({ lanes }) => lanes.map(({ name }) => name)))
    for (const [name, { element }] of this.#lanes) if (!names.has(name)) this.#remove(name, element)
    for (const name of names) if (!this.#lanes.has(name)) this.#lanes.set(name, this.#create(name))
    for (const { chart } of this.#lanes.values()) chart.draw(points, rangeMs)
  }

  #create(name: string): Lane {
    // The kind of `compute 1`, and of `2: compute 1` in the second instance, is `compute`.
    const [kind = ''] = name.replace(/^\d+: /, '').split(' ')
    const element = document.createElement('div')
    element.className = 'lane'
    const label = element.appendChild(document.createElement('span'))
    label.textContent = name
    const strip = element.appendChild(document.createElement('div'))
    strip.className = 'strip'
    const figure = element.appendChild(document.createElement('span'))
    figure.className = 'share'
    this.#parent.append(element)
    const line = {
      color: kind,
      label: `${name}, percent of a core`,
      read: (update: Update) => {
        const share = update.lanes.find(lane => lane.name === name)?.share
        return share === undefined ? null : share * 100
      },
      fill: true,
    }
    return { element, figure, chart: createChart(strip, { lines: [line], max: 100, hasAxes: false }) }
  }

  #remove(name: string, element: HTMLElement): void {
    this.#lanes.delete(name)
    element.remove()
  }
}
