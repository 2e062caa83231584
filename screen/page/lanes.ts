import type { Threads } from '../live-messages.ts'
import { make, setText } from './dom.ts'
import { formatPercent } from './scale.ts'

/** The threads that share a lane: one, or all of a kind, such as those of a large pool. */
interface Threaded {
  readonly label: string
  readonly kind: string
  readonly names: readonly string[]
}

/** `compute 2` comes before `compute 10`. */
const byNumber = new Intl.Collator('en', { numeric: true }).compare

/** The kind of `compute 1`, and of `2: compute 1` in the second instance, is `compute`. */
const kindOf = (name: string): string => name.replace(/^\d+: /, '').split(' ')[0] as string

/**
 * Groups the threads that run now, by their kind.
 * @param threads what was told in the last seconds, so that a thread that is being replaced keeps its lane
 * @param foldFrom from this number on, the threads of a kind share a lane
 */
export function groupLanes(threads: readonly Pick<Threads, 'lanes'>[], foldFrom: number): Threaded[] {
  const all = threads.flatMap(({ lanes }) => lanes.map(({ name }) => name))
  return [...Map.groupBy(new Set(all), kindOf)].flatMap(([kind, names]) =>
    names.length >= foldFrom
      ? [{ label: `${kind}, mean of all`, kind, names }]
      : names.toSorted(byNumber).map(name => ({ label: name, kind, names: [name] })),
  )
}

/** The mean share of some threads; null if none of them runs. */
function meanShare({ lanes }: Pick<Threads, 'lanes'>, names: ReadonlySet<string>): number | null {
  const shares = lanes.filter(({ name }) => names.has(name)).map(({ share }) => share)
  return shares.length > 0 ? shares.reduce((sum, share) => sum + share, 0) / shares.length : null
}

/** What stands between the label and the figure of a lane, such as a chart. */
interface Strip {
  remove(): void
}

/** What the strip of a lane is made for: its label for readers who cannot see it, and the kind of its threads. */
export interface LaneStrip {
  readonly element: HTMLElement
  readonly label: string
  readonly kind: string
  /** The share of a core that the threads of the lane use; null if none of them runs. */
  shareIn(threads: Threads): number | null
}

/** A strip with the share of a core that a thread uses, or that the threads of a fold use on average. */
interface Lane<S extends Strip> {
  readonly strip: S
  /** The names of its threads, which change when a thread ends. */
  names: ReadonlySet<string>
  readonly element: HTMLElement
  readonly label: HTMLElement
  readonly share: HTMLElement
}

/** The lanes of all running threads. */
export class Lanes<S extends Strip> {
  readonly #parent: HTMLElement
  readonly #createStrip: (lane: LaneStrip) => S
  readonly #lanes = new Map<string, Lane<S>>()

  constructor(parent: HTMLElement, createStrip: (lane: LaneStrip) => S) {
    this.#parent = parent
    this.#createStrip = createStrip
  }

  /** Shows these lanes, and no others. @returns their strips */
  arrange(threads: readonly Threaded[]): readonly S[] {
    const wanted = threads.map(each => this.#laneOf(each))
    for (const [label, lane] of this.#lanes) {
      if (wanted.includes(lane)) continue
      this.#lanes.delete(label)
      lane.strip.remove()
      lane.element.remove()
    }
    for (const [index, { element }] of wanted.entries()) {
      const present = this.#parent.children[index] ?? null
      if (present !== element) this.#parent.insertBefore(element, present)
    }
    return wanted.map(({ strip }) => strip)
  }

  /** Shows the figures beside the strips; dashes without current figures. */
  show(threads: Threads | undefined): void {
    for (const { names, share, element } of this.#lanes.values()) {
      const used = threads ? meanShare(threads, names) : null
      setText(share, used === null ? '–' : `${formatPercent(used)} %`)
      element.classList.toggle('gone', used === null)
    }
  }

  #laneOf({ label, kind, names }: Threaded): Lane<S> {
    const lane = this.#lanes.get(label) ?? this.#create(label, kind)
    this.#lanes.set(label, lane)
    lane.names = new Set(names)
    setText(lane.label, names.length > 1 ? `${kind} × ${names.length}` : label)
    lane.element.classList.toggle('fold', names.length > 1)
    return lane
  }

  #create(label: string, kind: string): Lane<S> {
    const [name, track, share] = [make('span', ''), make('div', 'strip'), make('span', 'share')]
    const element = make('div', 'lane', name, track, share)
    element.dataset.kind = kind
    // The lane is added to the page later, and the strip measures its place: so it is added at once.
    this.#parent.append(element)
    const shareIn = (threads: Threads) => meanShare(threads, lane.names)
    const strip = this.#createStrip({ element: track, label, kind, shareIn })
    const lane: Lane<S> = { element, label: name, share, names: new Set(), strip }
    return lane
  }
}
