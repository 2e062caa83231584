import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'
import { licencesOf } from '../../lib/build/licences.ts'
import { type Presentation, samplesOf } from '../declaration/presentation.ts'
import { adviseOn, describeNoisy, describeRefused, findPoorRows, NOISY_FIGURES } from '../outcome/noisy.ts'
import { type Results, repeatCommand, type SavedRun } from '../outcome/results.ts'
import { type Html, html, renderTable, trusted } from './html.ts'
import { describeEnvironment } from './markdown.ts'
import { nameOf, renderPlot } from './plot.ts'
import { splitRows } from './plots/spectrum.ts'

/**
 * @param directory of the page, and of the profiles of the run
 * @returns the report of a run as one self-contained HTML document: it loads nothing from the network
 */
export function renderPage(run: SavedRun, presentation: Presentation, directory: string): string {
  const title = presentation.title(run)
  const content = presentation.content(run)
  const plots = presentation.plots(run)
  const remarks = content.flatMap(each => (each.kind === 'remarks' ? each.sentences : []))
  const profiles = listProfiles(run, directory)
  const appendix = [
    ...content
      .filter(each => each.kind === 'table')
      .map(({ title, rows, columns }) => ({ title, content: renderTable(title, rows, columns) })),
    ...(profiles ? [{ title: 'Profiles', content: profiles }] : []),
    {
      title: 'How it was measured',
      content: html`<p>${presentation.method(run).replaceAll('`', '')}. To repeat this run on this commit:</p>
<pre><code>${repeatCommand(run)}</code></pre>`,
    },
  ].map((section, index) => ({ ...section, id: `part-${index}` }))
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:">
<link rel="icon" href="data:,">
<title>${title} · Decomposition of the Main Thread</title>
<style>${renderStyles()}</style>
</head>
<body>
<a class="skip" href="#content">Skip to the plots</a>
<header>
<p class="project">Decomposition of the Main Thread</p>
<h1>${title}</h1>
<p class="answer">${presentation.answer(run)}</p>
<p class="source">${describeEnvironment(run.environment)}</p>
</header>
<main id="content">
<nav aria-label="Contents"><ol>${[...plots, ...appendix].map(({ id, title }) => html`<li><a href="#${id}">${title}</a></li>\n`)}</ol></nav>
${renderNotices(run, presentation)}
${remarks.length > 0 ? html`<ul class="remarks">${remarks.map(remark => html`<li>${remark}</li>\n`)}</ul>` : null}
${plots.map(renderPlot)}
${appendix.map(({ id, title, content }) => html`<section><h2 id="${id}">${title}</h2>\n${content}</section>\n`)}
</main>
</body>
</html>
`.toString()
}

/** The reasons to doubt a run: none for a run that is complete and has only valid samples. */
function renderNotices(run: SavedRun, presentation: Presentation): Html[] {
  const samples = samplesOf(run, presentation)
  const poor = 'steps' in run ? findPoorRows(presentation.measured(run), run.settings) : []
  const noisy = describeNoisy(samples)
  const refused = describeRefused(samples)
  const notices = {
    Interrupted: run.partial && 'The run was interrupted. The report shows the samples taken before that.',
    'Too few samples':
      poor.length > 0 &&
      `Not enough valid samples: ${poor.join(', ')}. To repeat the run, ${adviseOn(samples)}.`,
    Noisy: noisy && `${noisy}. ${NOISY_FIGURES}`,
    'Refused samples': refused && `${refused}. These samples are not used in any figure.`,
  }
  return Object.entries(notices).flatMap(([title, text]) =>
    text ? html`<p class="notice" role="note"><strong>${title}.</strong> ${text}</p>\n` : [],
  )
}

/** Links to the profile of each thread, as V8 has written it; null if there is none. */
function listProfiles(run: SavedRun, directory: string): Html | null {
  const links = splitRows('steps' in run ? (run as Results) : { steps: [] }).flatMap(row =>
    [row.spectrum, ...row.spectrum.threads].flatMap(({ thread, profile }) => {
      const path = normalize(profile)
      if (path.startsWith('..') || !existsSync(join(directory, path))) return []
      const href = path.split(/[/\\]/).map(encodeURIComponent).join('/')
      return html`<li><a href="${href}">${nameOf(row)}, ${thread}</a></li>\n`
    }),
  )
  if (links.length === 0) return null
  return html`<p>The profile of each thread in the profiled sample. speedscope and the developer tools of browsers show it as a flame graph.</p>
<ul>${links}</ul>`
}

/** The font with its licence, and the styles. */
function renderStyles(): Html {
  const file = fileURLToPath(
    import.meta.resolve('@fontsource-variable/inter/files/inter-latin-wght-normal.woff2'),
  )
  return trusted(`/* ${licencesOf([dirname(dirname(file))]).replaceAll('*/', '* /')} */
@font-face { font-family: Inter; font-weight: 100 900; src: url(data:font/woff2;base64,${readFileSync(file, 'base64')}) format("woff2"); }
${readFileSync(join(import.meta.dirname, 'report.css'), 'utf8')}`)
}
