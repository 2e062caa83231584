import { build } from 'esbuild'

const shared = { bundle: true, format: 'esm', jsx: 'automatic', logLevel: 'warning' }
const env = JSON.stringify(process.env.NODE_ENV ?? 'production')

// One module for the render threads, whose packages stay imports, and one for the browser.
await build({
  ...shared,
  entryPoints: ['src/app.jsx'],
  outdir: 'build',
  platform: 'node',
  packages: 'external',
})
await build({
  ...shared,
  entryPoints: ['src/client.jsx'],
  outdir: 'build/public',
  splitting: true,
  define: { 'process.env.NODE_ENV': env },
})
