/** An image of docker-compose.yml. The target in the Dockerfile has the same name. */
export interface Image {
  /** The files that its processes run. */
  readonly entries: readonly string[]
  /** Files whose lazy imports no process of the image uses. */
  readonly loadsNoneOf?: readonly string[]
}

/**
 * A sidecar reads the names of all implementations, to know whether the composition needs it, but loads none of them.
 */
const sidecar = (name: string): Image => ({
  entries: ['stack/when-needed.ts', `${name}/main.ts`],
  loadsNoneOf: ['app/concerns.ts'],
})

const stack = {
  orders: { entries: ['orders/main.ts'] },
  'logger-transport': sidecar('logger-transport'),
  'apm-agent': sidecar('apm-agent'),
  app: { entries: ['app/main.ts'] },
} satisfies Record<string, Image>

/** All images. The load test starts its own stacks, so its image contains every process. */
export const images: Readonly<Record<string, Image>> = {
  ...stack,
  loadtest: {
    entries: [
      'loadtest/main.ts',
      'loadtest/generator/steady.ts',
      ...Object.values<Image>(stack).flatMap(({ entries }) => entries),
    ],
  },
}
