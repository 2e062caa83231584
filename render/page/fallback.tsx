import type { PartName } from '../protocol.ts'

/** What stands in the place of a part that failed or was late. */
export const Fallback = ({ part }: { part: PartName }) => fallbacks[part]

const fallbacks: Readonly<Record<PartName, React.ReactElement>> = {
  summary: <p className="fallback">The summary cannot be shown now.</p>,
  orders: (
    <li className="fallback">Some orders cannot be shown now. Load the page again to try once more.</li>
  ),
  recommendations: <p className="fallback">Recommendations cannot be shown now.</p>,
}
