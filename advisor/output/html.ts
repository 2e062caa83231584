import type { Column } from '../../lib/cli/columns.ts'
import type { Report } from '../spectrum/report.ts'
import { describeTurns, sentencesOf, TURNS_TITLE, titleOf } from './sentences.ts'
import {
  adviceColumnsOf,
  describeAdvice,
  describePackages,
  type Line,
  lineColumns,
  linesOf,
  percent,
} from './tables.ts'

const STYLE = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; margin: 1rem 0; font-variant-numeric: tabular-nums; }
th, td { padding: .2rem .8rem .2rem 0; text-align: right; border-bottom: 1px solid #8884; }
th:first-child, td:first-child { text-align: left; white-space: pre; }
td:first-child { background: linear-gradient(to right, #4a90d955 var(--share, 0%), transparent 0); }
`

/** The report as one self-contained page: it loads nothing. */
export function renderHtml(report: Report): string {
  const { main, workers, verdict } = report
  const title = escapeHtml(titleOf(report))
  const turns = describeTurns(report)
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Main thread of ${title}</title>
<style>${STYLE}</style>
<h1>Main thread of ${title}</h1>
<p><strong>${escapeHtml(verdict.summary)}</strong></p>
${spectrumTable(linesOf(main))}
${list(sentencesOf(report))}
${turns.length > 0 ? `<p>${escapeHtml(TURNS_TITLE)}</p>\n${list(turns)}` : ''}
${workers.map(worker => `<h2>Worker thread ${escapeHtml(worker.thread)}: busy for ${percent(worker.busyShare)} of the time</h2>\n${spectrumTable(linesOf(worker))}`).join('\n')}
<h2>What moving a concern away could bring, at best</h2>
${table(verdict.advice, adviceColumnsOf(report), () => '')}
${list(verdict.advice.flatMap(each => [describeAdvice(each), ...describePackages(each).map(({ text, code }) => `${text}: ${code}`)]))}
</html>
`
}

const spectrumTable = (lines: readonly Line[]) =>
  table(
    lines,
    lineColumns,
    ({ share, gcShare }) => ` style="--share: ${((share + gcShare) * 100).toFixed(1)}%"`,
  )

function table<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  firstAttributes: (row: Row) => string,
) {
  const head = columns.map(({ title }) => `<th scope="col">${escapeHtml(title)}</th>`).join('')
  const body = rows.map(row => {
    const cells = columns.map(
      ({ cell }, index) => `<td${index === 0 ? firstAttributes(row) : ''}>${escapeHtml(cell(row))}</td>`,
    )
    return `<tr>${cells.join('')}</tr>`
  })
  return `<table>\n<thead><tr>${head}</tr></thead>\n<tbody>\n${body.join('\n')}\n</tbody>\n</table>`
}

const list = (lines: readonly string[]) =>
  `<ul>\n${lines.map(line => `<li>${escapeHtml(line)}</li>`).join('\n')}\n</ul>`

const escapeHtml = (text: string) => text.replace(/[&<>"]/g, character => `&#${character.charCodeAt(0)};`)
