import { data, redirect, useLocation } from 'react-router'

const loaders = {
  '/theme': ({ headers }) =>
    data(headers.get('cookie')?.includes('theme=dark') ? 'dark' : 'light', {
      headers: { vary: 'cookie', 'cache-control': 'private' },
    }),
  '/private': ({ headers }) => {
    if (!headers.get('cookie')?.includes('user=')) throw redirect('/sign-in')
    return 'A secret'
  },
  '/gone': () => {
    throw data('It is gone.', { status: 410 })
  },
  '/throws': () => {
    throw new Error('on purpose')
  },
}

export function loader({ request, params }) {
  const { pathname } = new URL(request.url)
  if (loaders[pathname]) return loaders[pathname](request)
  if (params['*'] && !pathname.startsWith('/files/')) throw data('There is no such page.', { status: 404 })
  return params['*'] ?? null
}

export const headers = ({ loaderHeaders }) => loaderHeaders

// biome-ignore lint/style/noDefaultExport: React Router loads the component by this name
export default function Kind({ loaderData }) {
  const { pathname } = useLocation()
  if (pathname === '/breaks') throw new Error('a component on purpose')
  return (
    <p>
      {pathname}: {loaderData}
    </p>
  )
}
