import { join } from 'node:path'
import { readPage } from '../../screen/files.ts'

/** @throws UserError when the page has not been built */
export const readLivePage = () => readPage(join(import.meta.dirname, '../../screen/dist/live'))
