import { join } from 'node:path'
import { build } from 'esbuild'
import { plugin as keepLicences } from '../../lib/build/keep-licences.ts'
import { FLAME_GRAPH_BUNDLE, FONT } from './dist.ts'

/**
 * Bundles the font of reports, and d3-flame-graph with the code that drives it. The library looks up the names of classes, so
 * they must be kept.
 */
export async function buildReport(): Promise<void> {
  await build({
    entryPoints: [join(import.meta.dirname, 'browser/flame-graph.ts')],
    outfile: FLAME_GRAPH_BUNDLE,
    bundle: true,
    minify: true,
    keepNames: true,
    format: 'iife',
    loader: { '.css': 'empty' },
    logLevel: 'warning',
    plugins: [keepLicences],
  })
  await build({
    entryPoints: [join(import.meta.dirname, 'font.css')],
    outfile: FONT,
    bundle: true,
    minify: true,
    loader: { '.woff2': 'dataurl' },
    logLevel: 'warning',
    plugins: [keepLicences],
  })
}
