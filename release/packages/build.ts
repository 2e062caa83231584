import { rmSync } from 'node:fs'
import { join, relative } from 'node:path'
import { runCommand } from '../../lib/cli/command.ts'
import { UserError } from '../../lib/cli/user-error.ts'
import { bundle } from './bundle.ts'
import { declare } from './declarations.ts'
import { DIST, manifestOf, packageFolders, ROOT } from './manifest.ts'

await runCommand({
  usage: 'node release/packages/build.ts [FOLDER …]',
  description: `Builds packages from their sources, as npm pack does before it packs one: JavaScript and types in dist. Without
a folder, it builds the package of the working directory, or all packages at the top of the project.`,
  options: {},
  takesWords: true,
  async run(_, words) {
    for (const folder of words.length > 0 ? words : foldersHere()) {
      if (!packageFolders.includes(folder))
        throw new UserError(`${folder} is no package; the packages are ${packageFolders.join(', ')}`)
      rmSync(join(ROOT, folder, DIST), { recursive: true, force: true })
      const manifest = manifestOf(folder)
      await bundle(folder, manifest)
      declare(folder, manifest)
    }
  },
})

function foldersHere(): readonly string[] {
  const here = relative(ROOT, process.cwd())
  return here === '' ? packageFolders : [here]
}
