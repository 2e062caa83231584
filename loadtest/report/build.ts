import { dirname } from 'node:path'
import { build } from 'esbuild'
import { plugin as keepLicences } from '../../lib/build/keep-licences.ts'
import { FONT } from './dist.ts'

/** Bundles the script of flame graphs, and the font of reports. */
export async function buildReport(): Promise<void> {
  await build({
    absWorkingDir: import.meta.dirname,
    entryPoints: ['browser/flame-graph.ts', 'font.css'],
    entryNames: '[name]',
    outdir: dirname(FONT),
    bundle: true,
    minify: true,
    format: 'iife',
    loader: { '.woff2': 'dataurl' },
    logLevel: 'warning',
    plugins: [keepLicences],
  })
}
