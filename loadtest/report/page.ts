import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describeNode, type Environment } from '../outcome/environment.ts'
import { FONT } from './dist.ts'
import { type Html, html, renderHead, trusted } from './html.ts'
import type { Notice } from './notices.ts'
import { themes } from './palette.ts'
import { type Plot, renderPlot } from './report-plot.ts'

/** The content of a report. */
export interface Report {
  readonly title: string
  readonly introduction: string
  /** Answers the question of the run in a few words. */
  readonly answer: string
  readonly notices: readonly Notice[]
  readonly remarks: readonly string[]
  readonly plots: readonly Plot[]
  /** Machine, commit and day, in one line. */
  readonly source: string
  /** The sections after the plots, each with a heading. */
  readonly appendix: readonly { readonly title: string; readonly content: Html }[]
}

export function describeSource(environment: Environment): string {
  const { cpu, cores, commit, date } = environment
  return `${cores} cores (${cpu}), ${describeNode(environment)}, commit ${commit ?? 'unknown'}, ${date.slice(0, 10)}`
}

/** @returns one self-contained HTML document: it loads nothing from the network */
export const renderPage = ({
  title,
  introduction,
  answer,
  notices,
  remarks,
  plots,
  source,
  appendix,
}: Report): string =>
  html`<!doctype html>
<html lang="en">
${renderHead(`${title} · Decomposition of the Main Thread`, html`${trusted(readFileSync(FONT, 'utf8'))}${stylesOfThemes()}`)}
<body>
<a class="skip" href="#content">Skip to the plots</a>
<header>
<p class="project">Decomposition of the Main Thread</p>
<h1>${title}</h1>
<p class="introduction">${introduction}</p>
<p class="answer">${answer}</p>
<p class="source">${source}</p>
${themeChoice}
</header>
<main id="content">
${renderContents(plots, appendix)}
${notices.map(notice => html`<p class="notice" role="note"><strong>${notice.title}.</strong> ${notice.text}</p>\n`)}
${remarks.length > 0 ? html`<ul class="remarks">${remarks.map(remark => html`<li>${remark}</li>\n`)}</ul>` : null}
${plots.map(renderPlot)}
${appendix.map((section, index) => html`<section><h2 id="${partId(index)}">${section.title}</h2>\n${section.content}</section>\n`)}
</main>
</body>
</html>
`.toString()

const partId = (index: number) => `part-${index}`

/** Links to all headings. */
const renderContents = (plots: Report['plots'], appendix: Report['appendix']): Html => {
  const parts = [
    ...plots.map(({ id, title }) => ({ id, title })),
    ...appendix.map(({ title }, index) => ({ id: partId(index), title })),
  ]
  return html`<nav aria-label="Contents"><ol>${parts.map(({ id, title }) => html`<li><a href="#${id}">${title}</a></li>\n`)}</ol></nav>`
}

const themeChoice = html`<fieldset><legend>Theme</legend>${['system', 'light', 'dark'].map(
  (theme, index) =>
    html`<label><input type="radio" name="theme" id="theme-${theme}"${trusted(index === 0 ? ' checked' : '')}> ${theme}</label>`,
)}</fieldset>`

/** The style of reports and of the pages beside them, in both themes; its font is apart. */
export function stylesOfThemes(): Html {
  const { light, dark } = themes
  const colors = Object.entries(light).map(
    ([name, color]) => `--${name}: light-dark(${color}, ${dark[name as keyof typeof dark]});`,
  )
  return trusted(
    `:root {${colors.join('')}}\n${readFileSync(join(import.meta.dirname, 'report.css'), 'utf8')}`,
  )
}
