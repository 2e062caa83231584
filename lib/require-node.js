import { readFileSync } from 'node:fs'

// This file is plain JavaScript: versions of Node.js that cannot load TypeScript run it too, and print the line below. It
// matters where npm's pin does not reach: `node app/main.ts`, and platforms that npm has no package of Node.js for.
// The app alone runs on older versions too; a stack does not.
const { optionalDependencies } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
const [pinned] = Object.values(optionalDependencies)
const needed = Number.parseInt(pinned, 10)
if (Number.parseInt(process.versions.node, 10) < needed) {
  process.stderr.write(
    `error: this is Node.js ${process.versions.node}, and ${needed} or later is needed. "npm start" and other commands ` +
      `of npm run the Node.js that "npm ci" installs; where it installs none, install Node.js ${needed}\n`,
  )
  process.exit(1)
}
