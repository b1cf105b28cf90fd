import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { OpenAPI3 } from 'openapi-typescript';
import { fingerprint, productRooms, typesOfPages } from '../compile.js';
import { projectRoot } from '../project-root.js';

/**
 * `npm run generate -- pages`: writes the client's types from the OpenAPI pages of all services, unless they are up
 * to date. Lint, type checking and the client's build run it first.
 * `-- --lint`: Redocly also checks the pages.
 * `-- <folder>`: writes the pages as `<service>.json`.
 */
const [argument] = process.argv.slice(2);
const types = join(projectRoot, typesOfPages);
if (argument === undefined) await writeTypes();
else if (argument === '--lint') {
  await writeTypes();
  await lint();
} else await writePages(argument);

/** Git ignores these files: they follow from the pages and are as large as the rest of the client. */
async function writeTypes(): Promise<void> {
  const stamp = join(types, '.made-of');
  const sources = await fingerprint([...productRooms, 'dev']);
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === sources) return;
  const { default: openapiTypescript, astToString } = await import('openapi-typescript');
  mkdirSync(types, { recursive: true });
  rmSync(stamp, { force: true });
  for (const [service, page] of Object.entries(await pages())) {
    const nodes = await openapiTypescript(withoutHeaders(page), { alphabetize: true });
    const text = `/** Made of the OpenAPI page by npm run generate -- pages. */\n${astToString(nodes)}`;
    writeFileSync(join(types, `${service}.ts`), text);
  }
  writeFileSync(stamp, sources);
}

async function pages(): Promise<Record<string, object>> {
  const { openApiPages } = await import('./pages.js');
  return openApiPages();
}

/** Types of response headers would double the file, and no caller uses them. */
function withoutHeaders(page: object): OpenAPI3 {
  const text = JSON.stringify(page, (name, value: unknown) => (name === 'headers' ? undefined : value));
  return JSON.parse(text) as OpenAPI3;
}

async function lint(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'scriptrail-pages-'));
  try {
    const files = await writePages(folder);
    const redocly = join(projectRoot, 'node_modules/.bin/redocly');
    const options = ['--config', join(projectRoot, 'redocly.yaml'), '--max-problems', '20'];
    execFileSync(redocly, ['lint', ...options, ...files], { stdio: ['ignore', 'inherit', 'inherit'] });
  } catch {
    process.exitCode = 1;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function writePages(folder: string): Promise<string[]> {
  mkdirSync(folder, { recursive: true });
  return Object.entries(await pages()).map(([service, page]) => {
    const file = join(folder, `${service}.json`);
    writeFileSync(file, `${JSON.stringify(page, null, 2)}\n`);
    return file;
  });
}
