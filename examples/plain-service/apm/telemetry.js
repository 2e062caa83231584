import '@main-thread/apm-agent/register'
