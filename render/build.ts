import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { build, type Metafile } from 'esbuild'
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

/** Builds what Node.js cannot run as it is: JSX and browser code. Then renders what is static. */

const common = {
  bundle: true,
  define: { 'process.env.NODE_ENV': '"production"' },
  jsx: 'automatic',
  logLevel: 'warning',
  format: 'esm',
  metafile: true,
  absWorkingDir: import.meta.dirname,
} as const

await rm(DIST, { recursive: true, force: true })
await buildServer()
await renderStatic(await buildAssets())

/** Files for the browser. Their names have a hash of their content, so that they may be kept for ever. */
async function buildAssets(): Promise<Assets> {
  const { metafile } = await build({
    ...common,
    entryPoints: ['client.tsx', 'page/page.css', 'page/icon.svg'],
    entryNames: '[name]-[hash]',
    loader: { '.svg': 'copy' },
    minify: true,
    target: 'es2022',
    outdir: ASSETS,
  })
  for (const name of await readdir(ASSETS)) {
    const content = await readFile(join(ASSETS, name))
    await writeFile(join(ASSETS, `${name}.gz`), gzipSync(content, { level: constants.Z_BEST_COMPRESSION }))
    await writeFile(join(ASSETS, `${name}.br`), brotliCompressSync(content))
  }
  return {
    script: urlOf(metafile, 'client.tsx'),
    style: urlOf(metafile, 'page.css'),
    icon: urlOf(metafile, 'icon.svg'),
  }
}

function urlOf({ outputs }: Metafile, source: string): string {
  const [stem = '', extension = ''] = source.replace('.tsx', '.js').split('.')
  const file = Object.keys(outputs).find(name => new RegExp(`${stem}-\\w+\\.${extension}$`).test(name))
  if (!file) throw new Error(`nothing was built of ${source}`)
  return file.replace('dist', '')
}

/** React and the components in one module, in production mode whatever the environment says. */
async function buildServer(): Promise<void> {
  await build({
    ...common,
    entryPoints: ['server.tsx'],
    platform: 'node',
    target: 'node26',
    // React is CommonJS and requires what Node.js has built in.
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
