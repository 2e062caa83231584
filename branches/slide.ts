/** Paths of the code that the app's main thread runs, as `git diff` takes them: the slide of a step. */
export const slidePaths = ['app', '*/main-thread/*'] as const

/** The same for a shell, which would look for files itself where it finds a `*`. */
export const quotedSlidePaths = slidePaths.map(path => (path.includes('*') ? `'${path}'` : path)).join(' ')
