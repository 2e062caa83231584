/** Paths of the code that the app's main thread runs, for `git diff`: the slide of a step. */
export const slidePaths = ['app', '*/main-thread/*'] as const

/** The paths quoted for a shell, which would otherwise replace the `*`. */
export const quotedSlidePaths = slidePaths.map(path => (path.includes('*') ? `'${path}'` : path)).join(' ')
