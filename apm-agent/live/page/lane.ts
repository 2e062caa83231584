import type { Update } from '../update.ts'
import { type Chart, createChart } from './chart.ts'
import { formatPercent } from './format.ts'
import { meanShare } from './lane-groups.ts'
import type { Line } from './line.ts'
import type { Points } from './points.ts'

interface Fold {
  readonly isOpen: boolean
  /** Called when the reader opens or closes the fold. */
  onToggle(): void
}

interface LaneOptions {
  /** The thread or threads, for readers who cannot see the strip. */
  readonly label: string
  readonly kind: string
  /** The fold of several threads; absent for the lane of a single thread. */
  readonly fold?: Fold | undefined
}

/** A strip with the share of a core that a thread uses, or that the threads of a fold use on average. */
export class Lane {
  readonly element = document.createElement('div')
  readonly #label: HTMLElement
  readonly #share = document.createElement('span')
  readonly #chart: Chart
  #names: ReadonlySet<string> = new Set()

  constructor({ label, kind, fold }: LaneOptions) {
    const strip = document.createElement('div')
    this.#label = fold ? createToggle(fold) : document.createElement('span')
    this.#share.className = 'share'
    this.element.className = 'lane'
    strip.className = 'strip'
    this.element.append(this.#label, strip, this.#share)
    const line: Line = {
      color: kind,
      label: `${label}, percent of a core`,
      read: update => percentOf(this.#shareIn(update)),
      fill: true,
    }
    this.#chart = createChart(strip, { lines: [line], max: 100, hasAxes: false })
  }

  /** @param names the threads of this lane; those of a fold change when a thread ends */
  rename(title: string, names: readonly string[]): void {
    this.#names = new Set(names)
    if (this.#label.textContent !== title) this.#label.textContent = title
  }

  /** Shows the figure beside the strip; a dash without a current update. */
  show(update: Update | undefined): void {
    const share = update ? this.#shareIn(update) : null
    this.#share.textContent = share === null ? '–' : `${formatPercent(share)} %`
    this.element.classList.toggle('gone', share === null)
  }

  draw(points: Points, rangeMs: number): void {
    this.#chart.draw(points, rangeMs)
  }

  remove(): void {
    this.#chart.close()
    this.element.remove()
  }

  #shareIn(update: Update): number | null {
    return meanShare(update, this.#names)
  }
}

const percentOf = (share: number | null) => (share === null ? null : share * 100)

function createToggle({ isOpen, onToggle }: Fold): HTMLElement {
  const toggle = document.createElement('button')
  toggle.type = 'button'
  toggle.ariaExpanded = String(isOpen)
  toggle.addEventListener('click', () => {
    toggle.ariaExpanded = String(toggle.ariaExpanded === 'false')
    onToggle()
  })
  return toggle
}
