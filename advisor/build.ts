import { copyFileSync, rmSync } from 'node:fs'
import { build, type Plugin } from 'esbuild'
import { gains } from './advice/gains.ts'

/** Puts the gains of our own steps into the bundle, because the package has no published runs. */
const includeGains: Plugin = {
  name: 'include gains',
  setup: ({ onLoad }) =>
    onLoad({ filter: /advisor\/advice\/gains\.ts$/ }, () => ({
      contents: `export const gains = ${JSON.stringify(gains)}`,
    })),
}

/** Builds the package: one file without dependencies, for the oldest Node.js that it runs on. */
rmSync(`${import.meta.dirname}/dist`, { recursive: true, force: true })
await build({
  absWorkingDir: import.meta.dirname,
  entryPoints: ['main.ts'],
  outdir: 'dist',
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20.16',
  logLevel: 'warning',
  plugins: [includeGains],
})
copyFileSync(`${import.meta.dirname}/../LICENSE`, `${import.meta.dirname}/dist/LICENSE`)
