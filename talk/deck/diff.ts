import { type Html, html } from '../../loadtest/report/html.ts'

/** Lines of a slide. */
const MOST_LINES = 24
/** Longer lines go on in the next line. */
const MOST_CHARACTERS = 108

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
  const lines = files
    .toSorted((one, other) => rank(one) - rank(other))
    .flatMap(({ lines }) => joinComments(lines))
    .flatMap(wrap)
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

/** Joins the lines of a comment that is one paragraph, because they are broken anew for a slide. */
function joinComments(lines: readonly string[]): string[] {
  const headOf = (line = '') => /^.\s*(?:\*|\/\/) (?=[^@\s])/.exec(line)?.[0]
  const joined: string[] = []
  for (const line of lines) {
    const [head, last] = [headOf(line), joined.at(-1)]
    if (head === undefined || headOf(last) !== head) joined.push(line)
    else joined[joined.length - 1] = `${last} ${line.slice(head.length)}`
  }
  return joined
}

/** Parts of a line that is too long, each with its mark; those after the first are indented. */
function wrap(line: string): string[] {
  if (line.length <= MOST_CHARACTERS) return [line]
  const [mark = '', indent = '', comment = ''] = /^(.)(\s*)(\/\/ |\* )?/.exec(line)?.slice(1) ?? []
  const head = `${mark}${indent}${comment || '  '}`
  const at = line.lastIndexOf(' ', MOST_CHARACTERS)
  if (at <= head.length) return [line]
  return [line.slice(0, at), ...wrap(`${head}${line.slice(at + 1)}`)]
}

export const renderDiff = (lines: readonly string[]): Html =>
  html`<pre class="diff">${lines.map(line => {
    const kind = kinds[line[0] as string]
    return html`<code class="${kind ?? 'same'}">${kind === 'place' ? line : highlight(line)}</code>`
  })}</pre>`

/** Comments, texts and words of the language, the first of which begins a part of a line. */
const TOKENS =
  /(?<comment>\/\/ .*|\/\*.*|^.\s*\*( .*|\/)?$)|(?<text>'[^']*'|`[^`]*`)|(?<word>\b(?:as|async|await|case|catch|class|const|else|export|for|from|function|if|import|in|interface|let|new|of|return|switch|throw|try|type|while)\b)/g

function highlight(line: string): Html[] {
  const parts: Html[] = []
  let from = 0
  for (const { 0: token, index, groups = {} } of line.matchAll(TOKENS)) {
    const kind = groups.comment === undefined ? (groups.text === undefined ? 'word' : 'text') : 'comment'
    parts.push(html`${line.slice(from, index)}<i class="${kind}">${token}</i>`)
    from = index + token.length
  }
  return [...parts, html`${line.slice(from)}`]
}
