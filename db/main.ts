import { messageWithAdvice } from '../platform/certificate-advice.js';
import { takeSecretFiles } from '../platform/config-files.js';
import { migrate } from './migrate.js';

/** `npm run db:migrate` migrates the database of `DATABASE_URL` and creates a role for each `*_DATABASE_URL`. */
async function main(): Promise<void> {
  takeSecretFiles(process.env);
  const databaseUrl = process.env['DATABASE_URL'];
  if (!databaseUrl) throw new Error('DATABASE_URL is missing: the address of the database, as its owner');
  const serviceDatabaseUrls: Record<string, string> = {};
  for (const [name, url] of Object.entries(process.env)) {
    const service = /^([A-Z]+)_DATABASE_URL$/.exec(name)?.[1]?.toLowerCase();
    if (service && url) serviceDatabaseUrls[service] = url;
  }
  const { applied, advice } = await migrate({ databaseUrl, serviceDatabaseUrls });
  const what = applied.length === 0 ? 'Nothing to migrate' : `Applied ${applied.join(', ')}`;
  console.log(`${what}; roles: ${Object.keys(serviceDatabaseUrls).sort().join(', ') || 'none given'}.`);
  if (advice !== undefined) console.warn(advice);
}

main().catch((error: unknown) => {
  console.error(messageWithAdvice(error));
  process.exitCode = 1;
});
