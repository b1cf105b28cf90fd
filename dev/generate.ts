import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { jest } from './jest.js';

/** `npm run generate -- <what>`: writes generated files. `--help` lists them. */
interface Generator {
  writes: string;
  run: () => Promise<unknown>;
}

const test = (project: string, file: string, write: string) => async () => {
  const code = await jest(['--selectProjects', project, '--testPathPatterns', file], { [write]: 'yes' });
  if (code !== 0) process.exit(code);
};

const generators: Record<string, Generator> = {
  'access-events': {
    writes: 'evidence/results/access-routes.md, from what each route declares',
    run: test('rules', 'tests/platform/access.test', 'WRITE_ACCESS_EVENTS'),
  },
  examples: {
    writes: 'the examples of the OpenAPI pages, from the answers of a system that it starts',
    run: test('parts', 'tests/api/examples', 'WRITE_EXAMPLES'),
  },
  gallery: {
    writes: 'docs/gallery.html, with every notification; reads the database of the running system',
    run: () => import('./gallery/main.js'),
  },
  histories: {
    writes: 'the golden histories of tests/replay; names of workflows or cases limit it to those',
    run: () => import('../tests/replay/record.js'),
  },
  images: {
    writes:
      'the newest version and digest of each image, into the compose files and the Dockerfile; --check only looks',
    run: () => import('./images.js'),
  },
  manifests: {
    writes: 'deploy/kubernetes, from docker-compose.yml and deploy/production.env',
    run: () => import('../deploy/manifests/main.js'),
  },
  pages: {
    writes:
      "the client's types, from the OpenAPI pages; a folder gets the pages themselves; --lint checks them with Redocly",
    run: () => import('./pages/main.js'),
  },
  pictures: {
    writes: 'the pictures of docs/, from the running system; needs a Chromium',
    run: () => import('../tests/browser/pictures.js'),
  },
  sbom: {
    writes: 'sbom.cdx.json: the packages of the lockfile as CycloneDX',
    run: async () => {
      const options = ['--sbom-format', 'cyclonedx', '--sbom-type', 'application', '--package-lock-only'];
      const maxBuffer = 64 * 1024 * 1024;
      writeFileSync('sbom.cdx.json', execFileSync('npm', ['sbom', ...options], { maxBuffer }));
    },
  },
};

// Each generator reads its own arguments from the usual place.
const [name = '--help'] = process.argv.splice(2, 1);
const generator = Object.hasOwn(generators, name) ? generators[name] : undefined;
if (generator) await generator.run();
else {
  console.log('npm run generate -- <what>\n');
  for (const [what, { writes }] of Object.entries(generators)) console.log(`  ${what.padEnd(15)}${writes}`);
  process.exitCode = name === '--help' ? 0 : 2;
}
