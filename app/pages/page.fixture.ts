import { load as loadWell } from './page.ts'
import type { AppProps } from './view/app.tsx'
import { settled } from './view/data.ts'

export { assets, default, options, react } from './page.ts'

/** The seed of a page whose shell throws. */
export const THROWING_SEED = 990_001
/** The seed of a page with a part that waits for ever. */
export const WAITING_SEED = 990_002

const fail = () => {
  throw new RangeError('on purpose')
}

/** Orders that throw when a component reads them. */
const trap = new Proxy([], { get: (_, key) => key !== 'then' && fail() })

/** The page with the trap, and the one that waits. */
export const withTrap =
  <Args extends unknown[]>(load: (...args: Args) => Promise<AppProps>) =>
  async (...args: Args): Promise<AppProps> => {
    const loaded = await load(...args)
    const { content } = loaded
    if (loaded.query.seed === THROWING_SEED)
      return { ...loaded, content: { ...content, orders: settled(trap) } }
    if (loaded.query.seed !== WAITING_SEED) return loaded
    return { ...loaded, content: { ...content, recommendations: new Promise<never>(() => {}) } }
  }

export const load = withTrap(loadWell)
