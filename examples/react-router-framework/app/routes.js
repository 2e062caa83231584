import { index, route } from '@react-router/dev/routes'

/** Paths whose answer is a line of `routes/answers.js`, and no page. */
const answers = ['report.csv', 'api/orders', 'old', 'sign-out', 'cookies']
/** Paths whose page is a line of `routes/kinds.jsx`. */
const kinds = ['about', 'theme', 'gone', 'throws', 'breaks', 'private', 'files/*', '*']

const together = (paths, file) => paths.map(path => route(path, file, { id: path }))

// biome-ignore lint/style/noDefaultExport: React Router loads the routes by this name
export default [
  index('routes/orders.jsx'),
  route('search', 'routes/search.jsx'),
  route('orders/:id', 'routes/order.jsx', [route('edit', 'routes/edit.jsx')]),
  route('sign-in', 'routes/sign-in.jsx'),
  route('upload', 'routes/upload.jsx'),
  route('late', 'routes/late.jsx'),
  ...together(answers, 'routes/answers.js'),
  ...together(kinds, 'routes/kinds.jsx'),
]
