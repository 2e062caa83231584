import { Suspense, use, useEffect, useState } from 'react'

export function Page({ advice }) {
  const [count, setCount] = useState(0)
  // Tests wait for the mark.
  useEffect(() => {
    document.body.dataset.hydrated = 'yes'
  }, [])
  return (
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <title>Advice</title>
        <link rel="icon" href="data:," />
      </head>
      <body>
        <button type="button" onClick={() => setCount(count + 1)}>
          {count}
        </button>
        <Suspense fallback={<p>Thinking</p>}>
          <Advice advice={advice} />
        </Suspense>
      </body>
    </html>
  )
}

const Advice = ({ advice }) => <p>{use(advice)}</p>
