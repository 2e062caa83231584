import { type Html, html } from './html.ts'

/** The command that gives the figures again, and all that it was done with. */
export function describeMeasuring(command: string, settings: Readonly<Record<string, unknown>>): Html {
  return html`<p>The same again, on this commit:</p>
<pre tabindex="0" role="region" aria-label="The command to repeat"><code>${command}</code></pre>
<dl>${Object.entries(settings).map(([name, value]) => html`<div><dt>${spaced(name)}</dt><dd>${String(value ?? '-')}</dd></div>\n`)}</dl>`
}

/** `warmupSeconds` as `warmup seconds`. */
const spaced = (name: string) => name.replaceAll(/[A-Z]/g, letter => ` ${letter.toLowerCase()}`)
