import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { buildAssets, bundling } from '../lib/build/build-assets.ts'
import { record } from '../lib/record.ts'
import {
  ASSETS,
  DIST,
  loadBundle,
  SERVER_BUNDLE,
  type ShellPiece,
  STATIC_PAGE,
  type StaticPage,
} from './dist.ts'
import { themes } from './page/query.ts'
import type { Assets } from './page/shell.tsx'
import { type PartName, partNames } from './protocol.ts'

/**
 * Builds the files that Node.js cannot run directly, JSX and browser code, and then renders the static parts of the
 * page.
 */
export async function buildOrdersPage(): Promise<void> {
  await rm(DIST, { recursive: true, force: true })
  await buildServer()
  await renderStatic(await buildClient())
}

async function buildClient(): Promise<Assets> {
  const nameOf = await buildAssets({
    directory: import.meta.dirname,
    entryPoints: ['client.tsx', 'page/page.css', 'page/icon.svg'],
    outdir: ASSETS,
  })
  for (const name of await readdir(ASSETS)) {
    const content = await readFile(join(ASSETS, name))
    await writeFile(join(ASSETS, `${name}.gz`), gzipSync(content, { level: constants.Z_BEST_COMPRESSION }))
    await writeFile(join(ASSETS, `${name}.br`), brotliCompressSync(content))
  }
  return {
    script: `/assets/${nameOf('client', 'js')}`,
    style: `/assets/${nameOf('page', 'css')}`,
    icon: `/assets/${nameOf('icon', 'svg')}`,
  }
}

/** Bundles React and the components in one module. */
async function buildServer(): Promise<void> {
  await build({
    ...bundling,
    absWorkingDir: import.meta.dirname,
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

async function renderStatic(assets: Assets): Promise<void> {
  const { renderShell, renderFallback } = await loadBundle()
  const page: StaticPage = {
    shells: record(themes, theme => cutAtSlots(renderShell(theme, assets))),
    fallbacks: record(partNames, renderFallback),
  }
  await writeFile(STATIC_PAGE, JSON.stringify(page))
}

function cutAtSlots(html: string): ShellPiece[] {
  const pieces = html.split(/<template data-slot="(\w+)"><\/template>/)
  return pieces.map((piece, index) => (index % 2 === 0 ? { html: piece } : { slot: piece as PartName }))
}
