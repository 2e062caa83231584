import { join } from 'node:path'
import { build } from 'esbuild'
import { keepLicences } from '../../lib/build/keep-licences.ts'
import { FLAME_GRAPH_BUNDLE } from './dist.ts'

/**
 * Bundles d3-flame-graph and the code that drives it. The library looks up the names of classes, so they must be
 * kept.
 */
export async function buildFlameGraph(): Promise<void> {
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
}
