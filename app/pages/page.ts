import { loadBundle, readAssets } from './assets.ts'
import { openContent } from './page-data.ts'
import type { AppProps } from './view/app.tsx'

const { App, react } = await loadBundle()
export const assets = readAssets()

/** The component of the page, and the React that renders it. */
// biome-ignore lint/style/noDefaultExport: React's way to name the component of a module
export { App as default, react }

/**
 * A part that is ready is sent in its place, however large it is, so that it is shown where no script runs. By default,
 * React sends parts of more than 12 KB after the others, and a script moves them to their places.
 */
export const options = {
  bootstrapModules: [assets.script],
  progressiveChunkSize: Number.POSITIVE_INFINITY,
}

export type PageProps = Omit<Parameters<typeof openContent>[0], 'onMissing'>

/**
 * Makes the props of the component, once the orders of the page are there.
 * @param onMissing called when there are no recommendations
 * @throws Problem when there are no orders
 */
export async function load(props: PageProps, onMissing: (error: unknown) => void): Promise<AppProps> {
  return { query: props.query, assets, content: await openContent({ ...props, onMissing }) }
}
