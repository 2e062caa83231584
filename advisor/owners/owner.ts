/** Whose code a function is. */
export interface Owner {
  readonly kind: 'package' | 'workspace' | 'own' | 'builtin' | 'unattributed' | 'control'
  /** Name of the package, folder, or part of Node.js. */
  readonly name: string
}

/** Code of a bundle whose source map is absent or has no entry for it. */
export const unattributed: Owner = { kind: 'unattributed', name: 'bundle without source map' }
