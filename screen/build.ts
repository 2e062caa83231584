import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buildAssets } from '../lib/build/build-assets.ts'
import { PAGE_FILE } from './files.ts'

const PAGE = join(import.meta.dirname, 'page')
const DIST = join(import.meta.dirname, 'dist')

/** `live` is for one reader, `stage` for a room. */
const layouts = ['live', 'stage'] as const

/** Bundles the page of each layout. */
export async function buildScreen(): Promise<void> {
  await rm(DIST, { recursive: true, force: true })
  await Promise.all(layouts.map(buildLayout))
}

/** Bundles the script and the style of a layout, and puts their names into its HTML. */
async function buildLayout(layout: (typeof layouts)[number]): Promise<void> {
  const outdir = join(DIST, layout)
  const entryPoints = [`${layout}.ts`, `${layout}.css`, 'icon.svg']
  const nameOf = await buildAssets({ directory: PAGE, entryPoints, outdir })
  const names: Readonly<Record<string, string>> = {
    script: nameOf(layout, 'js'),
    style: nameOf(layout, 'css'),
    icon: nameOf('icon', 'svg'),
  }
  const template = await readFile(join(PAGE, `${layout}.html`), 'utf8')
  const html = template.replace(/\{\{(\w+)\}\}/g, (_, name: string) => `/assets/${names[name]}`)
  await writeFile(join(outdir, PAGE_FILE), html)
}
