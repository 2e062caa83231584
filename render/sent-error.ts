import type { Thrown } from '../lib/threads/thrown.ts'

/** The reason why the rendering of a page is aborted at its deadline. */
export class LateError extends Error {
  override name = 'LateError'
}

/** The status that an error asks for, as libraries for HTTP have it. */
export const statusOf = ({ fields }: Thrown): number | undefined =>
  [fields?.statusCode, fields?.status].find(isErrorStatus)

const isErrorStatus = (status: unknown): status is number =>
  Number.isInteger(status) && Number(status) >= 400 && Number(status) < 600
