/** The files that workers and render threads load with `--faults`; the branch of a step has none. */
export const faultyFiles: Readonly<
  Record<string, () => Promise<{ readonly tasksFile: string; readonly pageFile: string }>>
> = {
  faults: () => import('./server/faults/files.ts'),
}
