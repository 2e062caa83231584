/** An image of docker-compose.yml, by the target of that name in the Dockerfile. */
export interface Image {
  /** The files that its processes start with. */
  readonly entries: readonly string[]
  /** Files whose lazy imports none of its processes uses. */
  readonly loadsNoneOf?: readonly string[]
}

/** A sidecar reads the names of all implementations, to know whether the composition needs it, and loads none of them. */
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

/** All images. The load test starts stacks of its own, so its image has every process. */
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
