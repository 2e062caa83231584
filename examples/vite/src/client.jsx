import { hydrateRoot } from 'react-dom/client'
import { Page } from './page.jsx'

hydrateRoot(document, <Page advice={Promise.resolve('Buy a lamp.')} />)
