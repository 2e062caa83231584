/** The owner of the code of a function: a package, a folder of the service, or a module of Node.js. */
export interface Owner {
  readonly kind: 'package' | 'workspace' | 'own' | 'builtin' | 'unattributed' | 'control'
  /** Name of the package, folder, or part of Node.js. */
  readonly name: string
  /** Of own code and bundles: the path of the file in its package, such as `src/routes/users.js`. */
  readonly path?: string | undefined
}

/** Code of a bundle whose source map is absent or has no entry for it. */
export const unattributed: Owner = { kind: 'unattributed', name: 'bundle without source map' }

/** Code of a file that cannot be read here, as of a profile from another machine: it may be a bundle. */
export const notFound: Owner = { kind: 'unattributed', name: 'file not found here' }
