import 'apm-agent/register'
