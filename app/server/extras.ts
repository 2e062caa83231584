import type { CreateExtra, Extra, ExtraContext } from './extra.ts'

/** All extras, in the order in which they are made. Each is loaded when the app starts; the branch of a step has none. */
const extras: Readonly<Record<string, () => Promise<{ createExtra: CreateExtra }>>> = {
  'front-page': () => import('./front-page/extra.ts'),
  openapi: () => import('./openapi/extra.ts'),
  faults: () => import('./faults/extra.ts'),
  pulse: () => import('./pulse/extra.ts'),
}

/** Makes the extras of an app. */
export async function createExtras(app: ExtraContext): Promise<readonly Extra[]> {
  const made: Extra[] = []
  for (const load of Object.values(extras)) {
    const extra = (await load()).createExtra(app, made)
    if (extra) made.push(extra)
  }
  return made
}
