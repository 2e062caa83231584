import createCache from '@emotion/cache'
import { CacheProvider } from '@emotion/react'
import {
  Alert,
  Button,
  Card,
  CardContent,
  CssBaseline,
  createTheme,
  Skeleton,
  Stack,
  TextField,
  ThemeProvider,
  Typography,
} from '@mui/material'
import { Suspense, use, useEffect, useState } from 'react'

const theme = createTheme({ palette: { primary: { main: '#a63c06' } } })

// In the browser, Emotion moves the styles that came with the page into the head when the cache is made. The script waits
// for the whole document, so that those of late boundaries are there, too.
const browserCache = typeof document === 'undefined' ? undefined : createCache({ key: 'css' })

/** The whole document. On the server each page has a cache of its own, and its styles stand before their elements. */
export function Page({ count, advice }) {
  const [cache] = useState(() => browserCache ?? createCache({ key: 'css' }))
  useEffect(() => {
    document.body.dataset.hydrated = 'yes'
  }, [])
  return (
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <title>Orders</title>
        <link rel="icon" href="data:," />
      </head>
      <body>
        <CacheProvider value={cache}>
          <ThemeProvider theme={theme}>
            <CssBaseline />
            <Orders count={count} />
            <Suspense fallback={<Skeleton height={48} />}>
              <Advice advice={advice} />
            </Suspense>
          </ThemeProvider>
        </CacheProvider>
        <script type="module" src="/assets/client.js" />
      </body>
    </html>
  )
}

function Orders({ count }) {
  const [clicks, setClicks] = useState(0)
  return (
    <Stack spacing={2} sx={{ padding: 2 }}>
      <Typography variant="h4" component="h1">
        {count} orders
      </Typography>
      <Button variant="contained" onClick={() => setClicks(clicks + 1)}>
        {clicks}
      </Button>
      <TextField label="Search" />
      {Array.from({ length: count }, (_, index) => index + 1).map(id => (
        <Card key={id} sx={{ borderLeft: `${id % 5}px solid` }}>
          <CardContent>
            <Typography color="primary">Order {id}</Typography>
          </CardContent>
        </Card>
      ))}
    </Stack>
  )
}

const Advice = ({ advice }) => <Alert severity="info">{use(advice)}</Alert>
