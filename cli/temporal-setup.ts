import { searchAttributeTypes } from '../domain/search-attributes.js';
import { takeSecretFiles } from '../platform/config-files.js';
import { setupTemporal } from '../platform/temporal/setup.js';

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
    console.error(
      `Temporal could not be prepared: ${error instanceof Error ? error.message : String(error)}`,
    );
    process.exitCode = 1;
  });
