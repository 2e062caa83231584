/** The successful answer of a route for the OpenAPI document: its purpose, and the schema of each media type. */
export interface DescribedAnswer {
  readonly summary: string
  readonly content: Readonly<Record<string, object>>
}

export const describeJson = (summary: string, schema: object): DescribedAnswer => ({
  summary,
  content: { 'application/json': schema },
})

export const describeObject = (
  summary: string,
  properties: Readonly<Record<string, object>>,
): DescribedAnswer => describeJson(summary, { type: 'object', properties })

export const describeHtml = (summary: string): DescribedAnswer => ({
  summary,
  content: { 'text/html': { type: 'string' } },
})

export const describeTask = ({ summary, output }: { summary: string; output: object }): DescribedAnswer =>
  describeJson(summary, output)
