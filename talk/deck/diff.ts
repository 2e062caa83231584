import { type Html, html } from '../../loadtest/report/html.ts'

/** Lines of a slide. */
const MOST_LINES = 24
/** Longer lines are cut. */
const MOST_CHARACTERS = 112

const kinds: Readonly<Record<string, string>> = { '+': 'added', '-': 'removed', '@': 'place' }

/**
 * The lines of a diff that fit a slide: first those of the implementation that the step moves to, then those of its concern. Of
 * a file that is removed, only its name is shown, and imports are not; a last line says what was left out.
 * @param move the concern of the step, and the implementation that it moves to
 */
export function chooseLines(diff: string, move: { readonly concern: string; readonly to: string }): string[] {
  const folder = `app/concerns/${move.concern}/`
  const rank = ({ path }: Changed) =>
    path === `${folder}${move.to}.ts` ? 0 : path.startsWith(folder) ? 1 : 2
  const files = diff
    .split(/^(?=diff --git )/m)
    .filter(Boolean)
    .map(readFile)
  const lines = files.toSorted((one, other) => rank(one) - rank(other)).flatMap(({ lines }) => lines)
  if (lines.length <= MOST_LINES) return lines
  return [
    ...lines.slice(0, MOST_LINES - 1),
    `@ … and ${lines.length - MOST_LINES + 1} more lines of ${files.length} files`,
  ]
}

interface Changed {
  readonly path: string
  readonly lines: readonly string[]
}

function readFile(file: string): Changed {
  const [head = '', ...rest] = file.trimEnd().split('\n')
  const path = / b\/(.*)$/.exec(head)?.[1] ?? ''
  if (rest[0]?.startsWith('deleted file')) return { path, lines: [`@ without ${path}`] }
  const changed = rest.filter(
    line => /^[+\- ]/.test(line) && !/^((---|\+\+\+) |.import .* from |.$)/.test(line),
  )
  return { path, lines: [`@ ${path}`, ...changed] }
}

export const renderDiff = (lines: readonly string[]): Html =>
  html`<pre class="diff">${lines.map(
    line =>
      html`<code class="${kinds[line[0] as string] ?? 'same'}">${line.length > MOST_CHARACTERS ? `${line.slice(0, MOST_CHARACTERS - 1)}…` : line}</code>`,
  )}</pre>`
