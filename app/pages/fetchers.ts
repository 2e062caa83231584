/** The modules with which render threads fetch the data of pages, by the concern whose implementation lets them. */
export const fetchers: Readonly<Record<string, URL>> = {
  upstream: new URL('./fetch-in-thread.ts', import.meta.url),
}
