import type { Plugin } from 'esbuild'
import { gains, peers } from '../../advisor/advice/gains.ts'

/** The plugins of esbuild that the build of a package needs, by the folder of the package. */
export const plugins: Readonly<Record<string, readonly Plugin[]>> = {
  // The gains of our own steps, and the costs of peers, come from published runs, which the package does not have.
  advisor: [
    replaceModule(
      'advisor/advice/gains.ts',
      `export const gains = ${JSON.stringify(gains)}\nexport const peers = ${JSON.stringify(peers)}`,
    ),
  ],
}

function replaceModule(path: string, contents: string): Plugin {
  return {
    name: `replace ${path}`,
    setup: ({ onLoad }) => onLoad({ filter: new RegExp(`/${path}$`) }, () => ({ contents })),
  }
}
