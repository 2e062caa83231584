import { Component, type ReactNode, Suspense } from 'react'

export type PartName = 'orders' | 'recommendations'

const names: Readonly<Record<PartName, string>> = { orders: 'The orders', recommendations: 'Recommendations' }

interface PartProps {
  readonly name: PartName
  /** The element that stands there if `children` throw, on the server and in the browser. */
  readonly fallback?: ReactNode
  readonly children: ReactNode
}

/**
 * A part of the page that may come late or fail, and the page is there without it. On the server, Suspense shows the fallback,
 * or that the part is missing, whatever the reason; in the browser React then tries to render the part, and the error
 * boundary shows the fallback, or that the part failed.
 */
export const Part = ({ name, fallback, children }: PartProps) => (
  <Fence fallback={fallback ?? <Unavailable part={name} />}>
    <Suspense fallback={fallback ?? <p className="fallback pending">{`${names[name]} are not here yet.`}</p>}>
      {children}
    </Suspense>
  </Fence>
)

export const Unavailable = ({ part }: { part: PartName }) => (
  <p className="fallback">{`${names[part]} are not available at the moment. Reload the page to try again.`}</p>
)

/** An error boundary. React has them in the browser only, and as classes only. */
export class Fence extends Component<{ readonly fallback: ReactNode; readonly children: ReactNode }> {
  override state = { hasFailed: false }
  static getDerivedStateFromError = () => ({ hasFailed: true })
  override render(): ReactNode {
    return this.state.hasFailed ? this.props.fallback : this.props.children
  }
}
