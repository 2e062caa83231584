import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buildAssets } from '../../lib/build/build-assets.ts'
import { DIST, PAGE_FILE } from './page-files.ts'

const PAGE = join(import.meta.dirname, 'page')

/** Bundles the live page. */
export const buildLivePage = (): Promise<void> => buildPage(PAGE, DIST)

/**
 * Bundles the scripts and styles of a page, and puts their names into its HTML.
 * @param page the directory with `client.ts`, `page.css`, `icon.svg` and the HTML
 * @param outdir the directory of the results, whose earlier content is removed
 */
export async function buildPage(page: string, outdir: string): Promise<void> {
  await rm(outdir, { recursive: true, force: true })
  const entryPoints = ['client.ts', 'page.css', 'icon.svg']
  const nameOf = await buildAssets({ directory: page, entryPoints, outdir })
  const names: Readonly<Record<string, string>> = {
    script: nameOf('client', 'js'),
    style: nameOf('page', 'css'),
    icon: nameOf('icon', 'svg'),
  }
  const template = await readFile(join(page, PAGE_FILE), 'utf8')
  const html = template.replace(/\{\{(\w+)\}\}/g, (_, name: string) => `/assets/${names[name]}`)
  await writeFile(join(outdir, PAGE_FILE), html)
}
