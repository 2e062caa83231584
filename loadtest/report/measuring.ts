import { type Html, html } from './html.ts'

/** The command that measures the same again, and all settings that have a value. @param command null when the results do not tell it */
export function describeMeasuring(command: string | null, settings: Readonly<Record<string, unknown>>): Html {
  return html`${command === null ? null : renderCommand(command)}<dl>${Object.entries(settings)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => html`<div><dt>${spaced(name)}</dt><dd>${String(value)}</dd></div>\n`)}</dl>`
}

const renderCommand = (command: string): Html =>
  html`<p>To repeat this run on this commit:</p>
<pre><code>${command}</code></pre>
`

/** Writes `warmupSeconds` as `warmup seconds`. */
const spaced = (name: string) => name.replaceAll(/[A-Z]/g, letter => ` ${letter.toLowerCase()}`)
