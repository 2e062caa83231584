import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { findOldPictures, PICTURES, pictures } from '../../talk/stage/pictures/pictures.ts'

/** Draws the pictures that do not show the published results. @param say tells which it drew, and which it could not draw */
export async function drawPictures(say: (line: string) => void): Promise<void> {
  for (const name of findOldPictures()) {
    try {
      const picture = await pictures[name]?.draw()
      if (picture === undefined) continue
      writeFileSync(join(PICTURES, name), picture)
      say(`docs/pictures/${name}: ${Math.ceil(Buffer.byteLength(picture) / 1024)} KiB`)
    } catch (error) {
      say(`docs/pictures/${name} stays as it was: ${(error as Error).message}`)
    }
  }
}
