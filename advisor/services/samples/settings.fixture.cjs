module.exports = {
  flowFile: 'flows.json',
  userDir: __dirname,
  httpAdminRoot: false,
  uiPort: Number(process.env.PORT),
  uiHost: '127.0.0.1',
  telemetry: { enabled: false, updateNotification: false },
}
