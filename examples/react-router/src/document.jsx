/** The document around the router, on the server and in the browser. */
export const Document = ({ children }) => (
  <html lang="en">
    <head>
      <meta charSet="utf-8" />
      <title>Orders</title>
      <link rel="icon" href="data:," />
    </head>
    <body>{children}</body>
  </html>
)
