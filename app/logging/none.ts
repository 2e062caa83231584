import type { CreateLogging } from './contract.ts'

/** No logging: the floor of the concern. */
export const createLogging: CreateLogging = async () => {
  const ignore = () => {}
  return {
    logger: { error: ignore, warn: ignore, info: ignore, debug: ignore },
    counts: () => ({ emitted: 0, dropped: 0 }),
    close: async () => {},
  }
}
