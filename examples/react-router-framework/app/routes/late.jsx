import { setTimeout as delay } from 'node:timers/promises'
import { Suspense } from 'react'
import { Await } from 'react-router'

export const loader = () => ({
  advice: delay(20, 'Order more.'),
  broken: delay(30).then(() => Promise.reject(new Error('on purpose'))),
})

// biome-ignore lint/style/noDefaultExport: React Router loads the component by this name
export default ({ loaderData: { advice, broken } }) => (
  <>
    <Suspense fallback={<p>Thinking</p>}>
      <Await resolve={advice}>{text => <p>{text}</p>}</Await>
    </Suspense>
    <Suspense fallback={<p>Trying</p>}>
      <Await resolve={broken} errorElement={<p>It did not work.</p>} />
    </Suspense>
  </>
)
