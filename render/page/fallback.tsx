import type { PartName } from '../protocol.ts'

/** The content that replaces a part that failed or was late. */
export const Fallback = ({ part }: { part: PartName }) => fallbacks[part]

const fallbacks: Readonly<Record<PartName, React.ReactElement>> = {
  summary: <p className="fallback">The summary is not available at the moment.</p>,
  orders: (
    <li className="fallback">Some orders are not available at the moment. Reload the page to try again.</li>
  ),
  recommendations: <p className="fallback">Recommendations are not available at the moment.</p>,
}
