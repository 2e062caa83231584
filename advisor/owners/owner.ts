/** The owner of the code of a function: a package, a folder of the service, or a module of Node.js. */
export interface Owner {
  readonly kind: 'package' | 'workspace' | 'own' | 'builtin' | 'unattributed' | 'control'
  /** Name of the package, folder, or part of Node.js. */
  readonly name: string
  /** Of own code and bundles: the path of the file in its package, such as `src/routes/users.js`. */
  readonly path?: string | undefined
  /** Of a package: the name, and the path of the file in it, such as `next/dist/compiled/react/index.js`. */
  readonly file?: string
}

/** Code of a bundle whose source map is absent or has no entry for it. */
export const unattributed: Owner = { kind: 'unattributed', name: 'bundle without source map' }

/** Code of a file that cannot be read here, as of a profile from another machine: it may be a bundle. */
export const notFound: Owner = { kind: 'unattributed', name: 'file not found here' }

/** Code whose place no rule knows, such as a script from the network. */
export const unknownPlace: Owner = { kind: 'unattributed', name: 'unknown place' }

/** Code that was made at run time, and that nobody known has called. */
export const generated: Owner = { kind: 'unattributed', name: 'generated code' }
