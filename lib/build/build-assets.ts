import { type BuildOptions, build, type Metafile, type Plugin } from 'esbuild'
import { keepLicences } from './licences.ts'

/** What a build of pages does besides bundling; the branch of a step has none of it. */
const plugins: Readonly<Record<string, Plugin>> = {
  keepLicences,
}

/** The settings of all bundles of pages. They are built in production mode, whatever the environment says. */
export const bundling = {
  bundle: true,
  define: { 'process.env.NODE_ENV': '"production"' },
  jsx: 'automatic',
  logLevel: 'warning',
  format: 'esm',
  metafile: true,
  plugins: Object.values(plugins),
} satisfies BuildOptions

interface AssetOptions {
  /** The directory to which `entryPoints` and `outdir` are relative. */
  readonly directory: string
  readonly entryPoints: readonly string[]
  readonly outdir: string
}

/**
 * Builds files for the browser. Their names contain a hash of their content, so that browsers may cache them for ever.
 * @returns a function from an entry point to the name of the built file
 */
export async function buildAssets({ directory, entryPoints, outdir }: AssetOptions) {
  const { metafile } = await build({
    ...bundling,
    absWorkingDir: directory,
    entryPoints: [...entryPoints],
    entryNames: '[name]-[hash]',
    loader: { '.svg': 'copy', '.woff2': 'file' },
    minify: true,
    target: 'es2022',
    outdir,
  })
  return (stem: string, extension: string) => nameOf(metafile, stem, extension)
}

function nameOf({ outputs }: Metafile, stem: string, extension: string): string {
  const pattern = new RegExp(`(?<=/)${stem}-\\w+\\.${extension}$`)
  const names = Object.keys(outputs).flatMap(file => pattern.exec(file)?.[0] ?? [])
  if (names.length !== 1) throw new Error(`${names.length} files were built of ${stem}.${extension}`)
  return names[0] as string
}
