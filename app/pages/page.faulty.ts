import { type Hang, hang } from '../../lib/threads/hang.ts'
import { load as loadWell, type PageProps } from './page.ts'
import type { AppProps } from './view/app.tsx'
import { type PageQuery, settled } from './view/data.ts'

export { assets, default, options, react } from './page.ts'

const loop = () => {
  for (;;);
}
const fill = () => {
  for (const all: number[][] = []; ; ) all.push(new Array(1e6).fill(all.length))
}
const fail = () => {
  throw new RangeError('on purpose')
}
const die = () => process.exit(3)

/** Data that calls `act` when a component reads it. */
const trap = (act: () => void) =>
  settled(new Proxy([], { get: (_, key) => key !== 'then' && act() }) as never)

/** What happens when the components of a page read its data, by the seed of the page. */
export const misbehaving = {
  'throws in the shell': { seed: 990_001, orders: trap(fail) },
  'throws in a part': { seed: 990_002, recommendations: trap(fail) },
  'loops in the shell': { seed: 990_003, orders: trap(loop) },
  'loops in a part': { seed: 990_004, recommendations: trap(loop) },
  'ends its thread in the shell': { seed: 990_005, orders: trap(die) },
  'ends its thread in a part': { seed: 990_006, recommendations: trap(die) },
  'takes all memory': { seed: 990_007, orders: trap(fill) },
  'waits for ever': { seed: 990_008, recommendations: new Promise<never>(() => {}) },
} as const

/**
 * The page with faults, which is loaded with `--faults` only: the prop `hang` keeps its thread from its work, and some
 * seeds have data that misbehaves.
 */
export const withFaults =
  <Request extends object, Page>(loadPage: (request: Request, page: Page) => Promise<AppProps>) =>
  async (request: Request, page: Page): Promise<AppProps> => {
    const { props } = request as { readonly props: { readonly hang?: Hang; readonly query: PageQuery } }
    const { hang: order, query } = props
    if (order) {
      hang(order)
      throw new Error('this page was a fault')
    }
    const loaded = await loadPage(request, page)
    const fault = Object.values(misbehaving).find(({ seed }) => seed === query.seed)
    const { seed: _, ...data } = fault ?? { seed: 0 }
    return { ...loaded, content: { ...loaded.content, ...data } }
  }

export const load = (props: PageProps, onMissing: (error: unknown) => void): Promise<AppProps> =>
  withFaults(() => loadWell(props, onMissing))({ props }, undefined)
