import { saveFile } from '../../lib/os/save-file.ts'
import { readEnvironment } from '../../loadtest/outcome/environment.ts'
import { Repository } from '../../release/branches/git.ts'
import { slidePaths } from '../../release/branches/rules.ts'
import { commitSteps } from '../../release/branches/update.ts'
import { renderDeck } from './render.ts'
import type { Length } from './script.ts'
import { makeSlides } from './slides.ts'

interface DeckOptions {
  readonly length: Length
  readonly stageUrl: string
  readonly out: string
}

/** Writes the deck. @returns the number of its slides */
export function writeDeck({ length, stageUrl, out }: DeckOptions): number {
  const repository = new Repository(process.cwd())
  const branches = commitSteps(repository, repository.run(['rev-parse', 'HEAD']))
  const slides = makeSlides({
    length,
    stageUrl,
    diffOf({ number }) {
      const [before, now] = [branches[number - 1]?.commit ?? '', branches[number]?.commit ?? '']
      return repository.read(['diff', '-U1', before, now, '--', ...slidePaths])
    },
  })
  const { commit, node, date } = readEnvironment()
  const source = `commit ${commit ?? 'unknown'}, Node.js ${node}, ${date.slice(0, 10)}`
  saveFile(out, renderDeck({ slides, minutes: Number(length), source }))
  return slides.length + 1
}
