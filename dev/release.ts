import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { digestOf, imagesIn, keyOf } from './registry.js';

/**
 * `npm run release -- <tag> [<folder>]`: makes the artefacts of a release from its tag, in a new folder. They are the
 * product, the client, the OpenAPI pages, an SBOM, the image where a container engine answers, provenance and checksums.
 * Nothing of the working tree takes part.
 */
const [tag, target] = process.argv.slice(2);
if (tag === undefined) throw new Error('Which tag? npm run release -- v1.0.0 [<folder>]');
const folder = resolve(target ?? join('release', tag));
if (existsSync(folder) && readdirSync(folder).length > 0) throw new Error(`${folder} is not empty`);
const startedOn = new Date().toISOString();
const commit = git('rev-parse', `${tag}^{commit}`);
/** The same folder for each build of a commit, whatever TMPDIR: the workflow bundle names files by their paths. */
const work = `/tmp/scriptrail-release-${commit.slice(0, 12)}`;
/** Named like the package, since npm's SBOM takes the folder's name. */
const sources = join(work, 'scriptrail');
const out = join(work, 'release');
try {
  await release();
} finally {
  rmSync(work, { recursive: true, force: true });
}

async function release(): Promise<void> {
  rmSync(work, { recursive: true, force: true });
  // Fails if somebody else takes the name meanwhile.
  mkdirSync(work, { mode: 0o700 });
  const archive = execFileSync('git', ['archive', commit], { maxBuffer: 1 << 30 });
  mkdirSync(sources);
  execFileSync('tar', ['-x', '-C', sources], { input: archive });
  const { version } = JSON.parse(readFileSync(join(sources, 'package.json'), 'utf8')) as { version: string };
  if (tag !== `v${version}`) throw new Error(`${tag} holds version ${version}: its tag must be v${version}`);
  mkdirSync(out);

  step('Installing the packages of the lockfile');
  inSources('npm', 'ci', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline');
  step('Building the product and the client');
  inSources('npm', 'run', 'build');
  inSources('npm', 'run', 'generate', '--', 'manifests');
  pack(`scriptrail-${version}.tar.gz`, git('log', '-1', '--format=%ct', commit));
  inSources('npm', 'pack', '--pack-destination', out, './clients/typescript');
  step('Writing the OpenAPI pages and the SBOM');
  inSources('npm', 'run', 'generate', '--', 'pages', join(out, 'openapi'));
  inSources('npm', 'run', 'generate', '--', 'sbom');
  writeFileSync(join(out, 'sbom.cdx.json'), readFileSync(join(sources, 'sbom.cdx.json')));

  const bases = await imagesOf('Dockerfile');
  const image = buildImage(version, commit, bases[0]);
  const files = filesIn(out).map((name) => ({ name, digest: { sha256: sha256(join(out, name)) } }));
  const provenance = {
    _type: 'https://in-toto.io/Statement/v1',
    subject: [...files, ...(image ? [{ name: `scriptrail:${version}`, digest: { sha256: image } }] : [])],
    predicateType: 'https://slsa.dev/provenance/v1',
    predicate: {
      buildDefinition: {
        buildType: 'urn:scriptrail:npm-run-release:v1',
        externalParameters: { tag },
        internalParameters: { node: process.version, npm: npmVersion(), platform: process.platform },
        resolvedDependencies: [
          { uri: `${repository()}@refs/tags/${tag}`, digest: { gitCommit: commit } },
          { uri: 'file:package-lock.json', digest: { sha256: sha256(join(sources, 'package-lock.json')) } },
          ...[...bases, ...(await imagesOf('docker-compose.yml'))].map(({ key, digest }) => ({
            uri: `docker:${key}`,
            ...(digest === '' ? {} : { digest: { sha256: digest.replace('@sha256:', '') } }),
          })),
        ],
      },
      runDetails: {
        builder: { id: `urn:host:${hostname()}` },
        metadata: { startedOn, finishedOn: new Date().toISOString() },
      },
    },
  };
  writeFileSync(join(out, 'provenance.json'), `${JSON.stringify(provenance, null, 2)}\n`);
  const sums = filesIn(out).map((name) => `${sha256(join(out, name))}  ${name}\n`);
  writeFileSync(join(out, 'SHA256SUMS'), sums.join(''));
  cpSync(out, folder, { recursive: true });
  step(`${tag} is in ${folder}: ${[...files.map(({ name }) => name), 'provenance.json'].join(', ')}`);
}

/** Two builds of a tag differ neither in order nor in times, owners or modes. */
function pack(name: string, seconds: string): void {
  const alike = [
    '--sort=name',
    `--mtime=@${seconds}`,
    '--owner=0',
    '--group=0',
    '--numeric-owner',
    '--mode=a+rX,u+w,go-w',
  ];
  const contents = [
    'dist',
    'package.json',
    'package-lock.json',
    'deploy',
    'observability',
    'docs',
    'CHANGELOG.md',
    'LICENSE',
  ];
  inSources('tar', ...alike, '--use-compress-program=gzip -n', '-cf', join(out, name), ...contents);
}

/** The images that a file names, with the digest of the file or, where a registry answers, of the registry. */
async function imagesOf(file: string): Promise<{ key: string; digest: string }[]> {
  const images = imagesIn(readFileSync(join(sources, file), 'utf8'));
  const unique = [...new Map(images.map((image) => [keyOf(image), image])).values()];
  const found = await Promise.all(
    unique.map(async (image) => ({
      key: keyOf(image),
      digest:
        image.digest ||
        (await digestOf(image.name, image.tag).then(
          (digest) => `@${digest}`,
          () => '',
        )),
    })),
  );
  const unknown = found.filter(({ digest }) => digest === '').map(({ key }) => key);
  if (unknown.length > 0) step(`No registry tells the digest of ${unknown.join(', ')}.`);
  return found;
}

/** @returns the id of the image, a SHA-256; undefined where no container engine answers */
function buildImage(version: string, commit: string, base?: { key: string; digest: string }) {
  const answers = (engine: string) => spawnSync(engine, ['info'], { stdio: 'ignore' }).status === 0;
  const engine = ['docker', 'podman', 'buildah'].find(answers);
  if (engine === undefined) {
    step('No container engine answers, so there is no image: docker build does it from the tag.');
    return undefined;
  }
  const label = 'org.opencontainers.image';
  const idFile = join(work, 'image-id');
  inSources(
    ...[engine, 'build', '--target', 'product', '--tag', `scriptrail:${version}`, '--iidfile', idFile],
    ...(base ? ['--build-arg', `NODE_IMAGE=${base.key}${base.digest}`] : []),
    ...['--label', `${label}.version=${version}`, '--label', `${label}.revision=${commit}`, '.'],
  );
  return readFileSync(idFile, 'utf8').trim().replace('sha256:', '');
}

/** The repository's address without a user or password; a name where it has none. */
function repository(): string {
  const { stdout } = spawnSync('git', ['config', '--get', 'remote.origin.url'], { encoding: 'utf8' });
  if (!URL.canParse(stdout.trim())) return 'git:scriptrail';
  return `git+${Object.assign(new URL(stdout.trim()), { username: '', password: '' }).href}`;
}

function inSources(...[command = '', ...args]: string[]): void {
  const env = { ...process.env, npm_config_loglevel: 'error' };
  execFileSync(command, args, { cwd: sources, env, stdio: ['ignore', 'ignore', 'inherit'] });
}

function git(...args: string[]): string {
  return execFileSync('git', args, { encoding: 'utf8' }).trim();
}

function npmVersion(): string {
  return execFileSync('npm', ['--version'], { encoding: 'utf8' }).trim();
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .sort();
}

function sha256(file: string): string {
  return createHash('sha256').update(readFileSync(file)).digest('hex');
}

function step(what: string): void {
  console.error(what);
}
