import { load as loadWell } from './page.ts'
import type { AppProps } from './view/app.tsx'
import { settled } from './view/data.ts'

export { assets, default, options, react } from './page.ts'

/** The seed of a page whose shell throws. */
export const THROWING_SEED = 990_001

const fail = () => {
  throw new RangeError('on purpose')
}

/** Orders that throw when a component reads them. */
const trap = new Proxy([], { get: (_, key) => key !== 'then' && fail() })

/** The page with the trap. */
export const withTrap =
  <Args extends unknown[]>(load: (...args: Args) => Promise<AppProps>) =>
  async (...args: Args): Promise<AppProps> => {
    const loaded = await load(...args)
    if (loaded.query.seed !== THROWING_SEED) return loaded
    return { ...loaded, content: { ...loaded.content, orders: settled(trap) } }
  }

export const load = withTrap(loadWell)
