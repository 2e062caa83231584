import { Component, type ReactNode, Suspense } from 'react'

export type PartName = 'orders' | 'recommendations'

const names: Readonly<Record<PartName, string>> = { orders: 'The orders', recommendations: 'Recommendations' }

/**
 * A part of the page that may come late or fail, and the page is there without it. On the server, Suspense shows that the
 * part is missing, whatever the reason; in the browser React then tries to render it, and the error boundary shows that
 * it failed.
 */
export const Part = ({ name, children }: { name: PartName; children: ReactNode }) => (
  <Fence fallback={<Unavailable part={name} />}>
    <Suspense fallback={<p className="fallback pending">{`${names[name]} are not here yet.`}</p>}>
      {children}
    </Suspense>
  </Fence>
)

/** The content in place of a part that failed. */
export const Unavailable = ({ part }: { part: PartName }) => (
  <p className="fallback">{`${names[part]} are not available at the moment. Reload the page to try again.`}</p>
)

interface FenceProps {
  readonly fallback: ReactNode
  readonly children: ReactNode
}

/** An error boundary. React has them in the browser only, and as classes only. */
class Fence extends Component<FenceProps> {
  override state = { hasFailed: false }
  static getDerivedStateFromError = () => ({ hasFailed: true })
  override render(): ReactNode {
    return this.state.hasFailed ? this.props.fallback : this.props.children
  }
}
