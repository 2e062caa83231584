import { join } from 'node:path'
import { build } from 'esbuild'
import { bundling } from '../../lib/build/build-assets.ts'

/** Bundles the script and the style of the deck, with the library for slides and the font. */
export async function buildDeck(): Promise<void> {
  await build({
    ...bundling,
    absWorkingDir: join(import.meta.dirname, 'page'),
    entryPoints: [
      { in: 'client.ts', out: 'deck' },
      { in: 'page.css', out: 'deck' },
    ],
    outdir: '../dist',
    format: 'iife',
    loader: { '.woff2': 'dataurl' },
    minify: true,
    target: 'es2022',
  })
}
