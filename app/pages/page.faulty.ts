import { type Hang, hang } from '../../lib/threads/hang.ts'
import { load as loadWell, type PageProps } from './page.ts'
import type { AppProps } from './view/app.tsx'

export { default, react, streamOptions } from './page.ts'

/** The page, for fault switches: the prop `hang` keeps its thread from its work. It is loaded with `--faults` only. */
export function load(
  props: PageProps & { readonly hang?: Hang },
  onMissing: (error: unknown) => void,
): Promise<AppProps> {
  if (!props.hang) return loadWell(props, onMissing)
  hang(props.hang)
  throw new Error('this page was a fault')
}
