/** An image of docker-compose.yml. The target in the Dockerfile has the same name. */
export interface Image {
  /** The files that its processes run. */
  readonly entries: readonly string[]
  /** Files whose lazy imports no process of the image uses. */
  readonly loadsNoneOf?: readonly string[]
  /** Whether the image may have packages of "devDependencies" in package.json. */
  readonly isForDevelopment?: boolean
}

/**
 * A sidecar reads the names of all implementations, to know whether the composition needs it, but loads none of them.
 */
const sidecar = (name: string): Image => ({
  entries: ['stack/when-needed.ts', `${name}/main.ts`],
  loadsNoneOf: ['app/concerns.ts'],
})

/** The images of the processes of a stack. Their packages are the "dependencies" in package.json. */
export const stack = {
  orders: { entries: ['orders/main.ts'] },
  'logger-transport': sidecar('logger-transport'),
  'apm-agent': sidecar('apm-agent'),
  app: { entries: ['app/main.ts'] },
  worker: { entries: ['workers/remote.ts'] },
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
    // The peers are installed into a checkout.
    loadsNoneOf: ['loadtest/peers/index.ts'],
    isForDevelopment: true,
  },
}
