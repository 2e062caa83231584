import { ChoiceProvider, type ReadForm } from './choice.tsx'
import { ContentContext, type PageContent } from './content.tsx'
import { type Assets, Layout } from './layout.tsx'
import { FencedOrderList, OrderList } from './order-list.tsx'
import { Part } from './part.tsx'
import type { PageQuery } from './query.ts'
import { Recommendations } from './recommendations.tsx'
import { Summary } from './summary.tsx'

export interface AppProps {
  readonly query: PageQuery
  readonly assets: Assets
  readonly content: PageContent
  /** Absent on the server. */
  readonly readForm?: ReadForm
}

/** The whole page. The summary is in no Suspense boundary: without orders there is no page, and the request fails. */
export const App = ({ query, assets, content, readForm }: AppProps) => (
  <ContentContext value={content}>
    <ChoiceProvider query={query} readForm={readForm}>
      <Layout
        assets={assets}
        summary={<Summary assets={assets} />}
        orders={
          <Part name="orders" fallback={<FencedOrderList />}>
            <OrderList />
          </Part>
        }
        recommendations={
          <Part name="recommendations">
            <Recommendations />
          </Part>
        }
      />
    </ChoiceProvider>
  </ContentContext>
)
