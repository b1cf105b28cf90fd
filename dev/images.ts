import { readFileSync, writeFileSync } from 'node:fs';
import { z } from 'zod';

/** Files that name images of others. */
const files = ['docker-compose.yml', 'observability/docker-compose.yml', 'Dockerfile'];
const imagePattern =
  /((?:image: (?:\$\{\w+:-)?|^ARG \w+_IMAGE=))([\w./-]+):(v?\d[\w.-]*)(@sha256:[0-9a-f]{64})?/gm;
const registry = process.env['IMAGE_REGISTRY'] ?? 'https://registry-1.docker.io';
const timeoutMs = 10_000;

interface Image {
  name: string;
  tag: string;
  digest: string;
}

/**
 * `npm run generate -- images`: raises each image to the newest version of its major, with its digest. With `--check` it
 * writes nothing. Exit codes: 0 all are the newest and pinned, 1 with `--check` and some are not, 2 no registry answered.
 */
async function main(): Promise<number> {
  const images = files.flatMap((file) => imagesIn(readFileSync(file, 'utf8')));
  const loose = images.filter(({ digest }) => digest === '').map(({ name, tag }) => `${name}:${tag}`);
  let newestOfAll: Map<string, Image>;
  try {
    newestOfAll = await newest(images);
  } catch (error) {
    console.log(`No registry could be asked: ${error instanceof Error ? error.message : String(error)}`);
    console.log(`Without a digest: ${loose.join(', ') || 'none'}`);
    return 2;
  }
  const raised = (image: Image): string => textOf(newestOfAll.get(keyOf(image)) ?? image);
  const changed = images.filter((image) => raised(image) !== textOf(image));
  for (const image of changed) console.log(`${textOf(image)} -> ${raised(image)}`);
  if (changed.length === 0) console.log('Every image is the newest of its major, and pinned.');
  if (process.argv.includes('--check')) return changed.length === 0 ? 0 : 1;
  for (const file of files) {
    const text = readFileSync(file, 'utf8');
    const pinned = text.replace(
      imagePattern,
      (_all, before: string, name: string, tag: string, digest: string | undefined) =>
        before + raised({ name, tag, digest: digest ?? '' }),
    );
    writeFileSync(file, pinned);
  }
  return 0;
}

const imagesIn = (text: string): Image[] =>
  [...text.matchAll(imagePattern)].map(([, , name = '', tag = '', digest = '']) => ({ name, tag, digest }));
const keyOf = ({ name, tag }: Pick<Image, 'name' | 'tag'>): string => `${name}:${tag}`;
const textOf = (image: Image): string => keyOf(image) + image.digest;

/** Images of one publisher with the same version belong together and stay equal. */
async function newest(images: readonly Image[]): Promise<Map<string, Image>> {
  const raised = new Map<string, Image>();
  for (const image of images) {
    const owner = image.name.slice(0, Math.max(0, image.name.lastIndexOf('/')));
    const together = images.filter(({ name, tag }) => tag === image.tag && name.startsWith(`${owner}/`));
    const lists = await Promise.all([image, ...together].map(({ name }) => tagsOf(name)));
    const common = lists.reduce((kept, tags) => kept.filter((tag) => tags.includes(tag)));
    const tag = newestOf(image.tag, common);
    raised.set(keyOf(image), { name: image.name, tag, digest: `@${await digestOf(image.name, tag)}` });
  }
  return raised;
}

/** The highest version of the same major that is written alike. */
function newestOf(present: string, tags: readonly string[]): string {
  const own = versionOf(present);
  const alike = tags
    .map((tag) => ({ tag, ...versionOf(tag) }))
    .filter(
      ({ before, after, numbers }) =>
        before === own.before &&
        after === own.after &&
        numbers.length === own.numbers.length &&
        numbers[0] === own.numbers[0],
    )
    .sort((a, b) => compare(b.numbers, a.numbers));
  return alike[0] && compare(alike[0].numbers, own.numbers) > 0 ? alike[0].tag : present;
}

function versionOf(tag: string): { before: string; numbers: number[]; after: string } {
  const [, before = '', version = '', after = ''] = /^(v?)(\d+(?:\.\d+)*)(\D.*|)$/.exec(tag) ?? [];
  return { before, numbers: version.split('.').map(Number), after };
}

function compare(a: readonly number[], b: readonly number[]): number {
  const differences = a.map((number, index) => number - (b[index] ?? 0));
  return differences.find((difference) => difference !== 0) ?? 0;
}

async function tagsOf(name: string): Promise<string[]> {
  const tags: string[] = [];
  let path: string | undefined = `/v2/${repositoryOf(name)}/tags/list?n=1000`;
  while (path !== undefined) {
    const response: Response = await ask(path);
    tags.push(...z.object({ tags: z.array(z.string()) }).parse(await response.json()).tags);
    path = /^<([^>]+)>; *rel="next"/.exec(response.headers.get('link') ?? '')?.[1];
  }
  return tags;
}

async function digestOf(name: string, tag: string): Promise<string> {
  const types = [
    'application/vnd.oci.image.index.v1+json',
    'application/vnd.docker.distribution.manifest.list.v2+json',
  ];
  const { headers } = await ask(`/v2/${repositoryOf(name)}/manifests/${tag}`, types.join());
  return z
    .string()
    .regex(/^sha256:[0-9a-f]{64}$/)
    .parse(headers.get('docker-content-digest'));
}

/** Docker Hub keeps names without an owner under `library`. */
function repositoryOf(name: string): string {
  const path = name.replace(/^docker\.io\//, '');
  return path.includes('/') ? path : `library/${path}`;
}

/** Asks again with the token that the registry wants. */
async function ask(path: string, accept = 'application/json'): Promise<Response> {
  const get = (headers: Record<string, string>) =>
    fetch(new URL(path, registry), {
      headers: { accept, ...headers },
      signal: AbortSignal.timeout(timeoutMs),
    });
  let response = await get({});
  const wanted = response.headers.get('www-authenticate');
  if (response.status === 401 && wanted !== null)
    response = await get({ authorization: await bearerFor(wanted) });
  if (!response.ok) throw new Error(`${path} answered ${response.status}`);
  return response;
}

async function bearerFor(wanted: string): Promise<string> {
  const part = (name: string) => new RegExp(`\\b${name}="([^"]*)"`).exec(wanted)?.[1];
  const url = new URL(z.string().parse(part('realm')));
  for (const name of ['service', 'scope']) url.searchParams.set(name, part(name) ?? '');
  const answer = await fetch(url, { signal: AbortSignal.timeout(timeoutMs) });
  return `Bearer ${z.object({ token: z.string() }).parse(await answer.json()).token}`;
}

process.exitCode = await main();
