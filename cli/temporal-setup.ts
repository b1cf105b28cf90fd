import { searchAttributeTypes } from '../domain/search-attributes.js';
import { takeSecretFiles } from '../platform/config-files.js';
import { setupTemporal } from '../platform/temporal/setup.js';

/** The error is the same for a server that is down and for one that closes connections without the right certificate. */
const advice =
  '. Check that a server listens at TEMPORAL_ADDRESS, that TEMPORAL_TLS and TEMPORAL_TLS_SERVER_CA_CERT_PATH match it, and that it accepts the certificate of TEMPORAL_TLS_CLIENT_CERT_PATH';

/** `npm run temporal:setup`: prepares the server that Temporal's standard environment names. */
try {
  takeSecretFiles(process.env);
  await setupTemporal(process.env);
  const count = Object.keys(searchAttributeTypes).length;
  console.log(`Temporal is ready: ${count} search attributes, closed runs stay for 30 days or more.`);
} catch (error) {
  const message = error instanceof Error ? error.message : String(error);
  console.error(`Temporal setup failed: ${message}${message.includes('deadline') ? advice : ''}`);
  process.exitCode = 1;
}
