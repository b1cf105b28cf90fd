import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import openapiTypescript, { astToString, type OpenAPI3 } from 'openapi-typescript';
import { projectRoot } from '../project-root.js';
import { openApiPages } from './pages.js';

/**
 * `npm run pages`: writes the types of the client from the OpenAPI pages of all services.
 * `-- --check`: instead ends with 1 where they are not of today's pages, or where Redocly finds anything in these.
 * `-- <folder>`: writes the pages themselves, as `<service>.json`.
 */
const [argument] = process.argv.slice(2);
const types = join(projectRoot, 'clients/typescript/src/pages');
const pages = await openApiPages();
if (argument === undefined) await eachType(writeFileSync);
else if (argument === '--check') await check();
else writePages(argument);

async function eachType(visit: (file: string, text: string) => void): Promise<void> {
  for (const [service, page] of Object.entries(pages)) {
    const text = astToString(await openapiTypescript(withoutHeaders(page), { alphabetize: true }));
    visit(join(types, `${service}.ts`), `/** Made of the OpenAPI page by npm run pages. */\n${text}`);
  }
}

/** Nobody needs the types of an answer's headers, and they would be half of the file. */
function withoutHeaders(page: object): OpenAPI3 {
  const text = JSON.stringify(page, (name, value: unknown) => (name === 'headers' ? undefined : value));
  return JSON.parse(text) as OpenAPI3;
}

async function check(): Promise<void> {
  await eachType((file, text) => {
    if (existsSync(file) && readFileSync(file, 'utf8') === text) return;
    console.error(`${file} is not of today's page: npm run pages`);
    process.exitCode = 1;
  });
  const folder = mkdtempSync(join(tmpdir(), 'scriptrail-pages-'));
  try {
    writePages(folder);
    const redocly = join(projectRoot, 'node_modules/.bin/redocly');
    const files = Object.keys(pages).map((service) => join(folder, `${service}.json`));
    const options = ['--config', join(projectRoot, 'redocly.yaml'), '--max-problems', '20'];
    execFileSync(redocly, ['lint', ...options, ...files], { stdio: ['ignore', 'ignore', 'inherit'] });
  } catch {
    process.exitCode = 1;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function writePages(folder: string): void {
  mkdirSync(folder, { recursive: true });
  for (const [service, page] of Object.entries(pages))
    writeFileSync(join(folder, `${service}.json`), `${JSON.stringify(page, null, 2)}\n`);
}
