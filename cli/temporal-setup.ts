import { searchAttributeTypes } from '../domain/search-attributes.js';
import { takeSecretFiles } from '../platform/config-files.js';
import { setupTemporal } from '../platform/temporal/setup.js';

/** Nothing more is known of a server that is away, and of one that ends connections without the right certificate. */
const advice =
  '. Look whether a server listens at TEMPORAL_ADDRESS, whether TEMPORAL_TLS and TEMPORAL_TLS_SERVER_CA_CERT_PATH are as it has it, and whether it takes the certificate of TEMPORAL_TLS_CLIENT_CERT_PATH';

async function setup(): Promise<void> {
  takeSecretFiles(process.env);
  await setupTemporal(process.env);
}

/** `npm run temporal:setup`: prepares whatever server Temporal's standard environment names. */
setup()
  .then(() => {
    const count = Object.keys(searchAttributeTypes).length;
    console.log(
      `Temporal is ready: ${count} search attributes are registered, closed runs stay for 30 days or more.`,
    );
  })
  .catch((error: unknown) => {
    const message = error instanceof Error ? error.message : String(error);
    console.error(`Temporal could not be prepared: ${message}${message.includes('deadline') ? advice : ''}`);
    process.exitCode = 1;
  });
