import type { Plugin } from 'esbuild'

/** What a build of pages does besides bundling; the branch of a step has none of it. */
const plugins: Readonly<Record<string, () => Promise<{ readonly plugin: Plugin }>>> = {
  licences: () => import('./keep-licences.ts'),
}

export const loadPlugins = (): Promise<Plugin[]> =>
  Promise.all(Object.values(plugins).map(async load => (await load()).plugin))
