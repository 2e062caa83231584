import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buildAssets } from '../../lib/build-assets.ts'
import { DIST, PAGE_FILE } from './page-files.ts'

const PAGE = join(import.meta.dirname, 'page')

/** Bundles the scripts and styles of the live page, and puts their names into the page. */
export async function buildLivePage(): Promise<void> {
  await rm(DIST, { recursive: true, force: true })
  const nameOf = await buildAssets({
    directory: PAGE,
    entryPoints: ['client.ts', 'page.css', 'icon.svg'],
    outdir: DIST,
  })
  const names: Readonly<Record<string, string>> = {
    script: nameOf('client', 'js'),
    style: nameOf('page', 'css'),
    icon: nameOf('icon', 'svg'),
  }
  const template = await readFile(join(PAGE, PAGE_FILE), 'utf8')
  const html = template.replace(/\{\{(\w+)\}\}/g, (_, name: string) => `/assets/${names[name]}`)
  await writeFile(join(DIST, PAGE_FILE), html)
}
