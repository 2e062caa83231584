import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { build } from 'esbuild'
import { buildAssets, bundling } from '../../lib/build/build-assets.ts'
import { ASSET_NAMES, ASSETS, DIST, SERVER_BUNDLE } from './assets.ts'
import type { Assets } from './view/data.ts'

/** Builds the files that Node.js cannot run directly: JSX and the code of the browser. */
export async function buildOrdersPage(): Promise<void> {
  await rm(DIST, { recursive: true, force: true })
  await buildServer()
  await writeFile(ASSET_NAMES, JSON.stringify(await buildClient()))
}

async function buildClient(): Promise<Assets> {
  const nameOf = await buildAssets({
    directory: join(import.meta.dirname, 'view'),
    entryPoints: ['client.tsx', 'page.css', 'noscript.css', 'icon.svg'],
    outdir: ASSETS,
  })
  return {
    script: `/assets/${nameOf('client', 'js')}`,
    style: `/assets/${nameOf('page', 'css')}`,
    noscript: `/assets/${nameOf('noscript', 'css')}`,
    icon: `/assets/${nameOf('icon', 'svg')}`,
  }
}

async function buildServer(): Promise<void> {
  await build({
    ...bundling,
    absWorkingDir: join(import.meta.dirname, 'view'),
    entryPoints: ['server.tsx'],
    platform: 'node',
    target: 'node26',
    // React is CommonJS and requires built-in modules of Node.js.
    banner: {
      js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url)",
    },
    outfile: SERVER_BUNDLE,
  })
}
