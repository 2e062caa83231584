import { hydrateRoot } from 'react-dom/client'
import { Page } from './page.jsx'

const count = Number(new URL(location.href).searchParams.get('count') ?? 20)
hydrateRoot(document, <Page count={count} advice={Promise.resolve('Buy a lamp.')} />)
