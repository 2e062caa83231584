/** Tells whether an error of the file system means that a file or directory is not at its path any more. */
export const isGone = (error: unknown): boolean =>
  ['ENOENT', 'ENOTDIR', 'ESTALE'].includes((error as NodeJS.ErrnoException).code ?? '')
