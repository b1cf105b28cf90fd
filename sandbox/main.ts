import { startSandbox } from './app.js';
import { readConfig } from './config.js';

// The files hold patient data and secrets, so only the owner may read them.
process.umask(0o077);
try {
  const config = readConfig(process.env);
  const sandbox = await startSandbox(config);
  const stop = (): void => {
    void sandbox.close().finally(() => process.exit(0));
  };
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
  process.send?.({ ready: true, url: sandbox.url, ports: sandbox.ports });
  console.log(
    `The sandbox simulates all external services at ${sandbox.url}; ${Object.entries(sandbox.ports)
      .map(([party, port]) => `${party} at port ${port}`)
      .join(', ')}`,
  );
} catch (error) {
  console.error(explain(error));
  process.exit(1);
}

/** One sentence that an operator can act on. */
function explain(error: unknown): string {
  if (!(error instanceof Error)) return 'The sandbox could not start.';
  if ('code' in error && error.code === 'EADDRINUSE' && 'port' in error) {
    return `Port ${String(error.port)} is in use: stop what uses it, or set SANDBOX_PORT, SANDBOX_SMTP_PORT, SANDBOX_TLS_PORT or SANDBOX_DNS_PORT to a free one.`;
  }
  return error.message;
}
