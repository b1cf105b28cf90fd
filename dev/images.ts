import { readFileSync, writeFileSync } from 'node:fs';
import { digestOf, type Image, imagePattern, imagesIn, keyOf, tagsOf } from './registry.js';

/** Files that name images of others. */
const files = ['docker-compose.yml', 'observability/docker-compose.yml', 'Dockerfile'];

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

process.exitCode = await main();
