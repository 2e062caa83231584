/** The files that workers and render threads load with `--faults`: a table of one row, which the branch of a step loses. */
export const faultyFiles: Readonly<
  Record<string, () => Promise<{ readonly tasksFile: string; readonly pageFile: string }>>
> = {
  faults: () => import('./server/faults/files.ts'),
}
