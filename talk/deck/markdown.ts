import { type Html, html } from '../../loadtest/report/html.ts'

/** Renders a block of the script: a paragraph, a list, or fenced code. Only the Markdown of docs/talk.md is known. */
export function renderBlock(block: string): Html {
  const fenced = /^```\w*\n(.*?)\n```$/s.exec(block)?.[1]
  if (fenced !== undefined) return html`<pre><code>${fenced}</code></pre>`
  if (block.startsWith('- '))
    return html`<ul>${block
      .split(/^- /m)
      .filter(Boolean)
      .map(item => html`<li>${renderInline(item.trim())}</li>`)}</ul>`
  return html`<p>${renderInline(block)}</p>`
}

const INLINE = /\*\*(.+?)\*\*|`(.+?)`|_(\S[^_]*)_|\[(.+?)\]\((\S+?)\)/gs

/** Renders bold text, code and emphasis; of a link, its text. */
export function renderInline(text: string): Html[] {
  const parts: Html[] = []
  let from = 0
  for (const match of text.matchAll(INLINE)) {
    const [whole, bold, code, emphasis, link] = match
    parts.push(html`${text.slice(from, match.index)}`)
    if (bold !== undefined) parts.push(html`<strong>${bold}</strong>`)
    else if (code !== undefined) parts.push(html`<code>${code}</code>`)
    else if (emphasis !== undefined) parts.push(html`<em>${emphasis}</em>`)
    else parts.push(...renderInline(link as string))
    from = match.index + whole.length
  }
  return [...parts, html`${text.slice(from)}`]
}
