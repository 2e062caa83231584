/** The paths of a slide for `git diff`: the change of a step in the app, without its tests. This is its only definition. */
export const slidePaths = ['app', ':!*.test.ts', ':!*.fixture.ts'] as const

/** The paths quoted for a shell, which would otherwise replace the `*`. */
export const quotedSlidePaths = slidePaths.map(path => (path.includes('*') ? `'${path}'` : path)).join(' ')
