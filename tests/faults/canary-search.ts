import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** A value in the spellings in which it could stand in a file without being hidden. */
function spellings(value: string): Buffer[] {
  const bytes = Buffer.from(value);
  const shifted = [0, 1, 2].map((offset) => {
    // Base64 depends on where the value begins; what its neighbours decide is cut off.
    const encoded = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64');
    return encoded.slice(offset === 0 ? 0 : offset + 1, -4);
  });
  const texts = [value, value.toLowerCase(), encodeURIComponent(value), bytes.toString('hex'), ...shifted];
  return [...new Set(texts.filter((text) => text.length >= 6))].flatMap((text) => [
    Buffer.from(text),
    Buffer.from(text, 'utf16le'),
  ]);
}

/** Every file at or below the paths. */
function filesBelow(path: string): string[] {
  if (!existsSync(path)) return [];
  if (statSync(path).isFile()) return [path];
  return readdirSync(path).flatMap((name) => filesBelow(join(path, name)));
}

/** Which of the named values stand in a text or in a folder's files: `<file>: <name of the value>`. */
export function findCanaries(
  canaries: Record<string, string>,
  where: { text: string } | { folder: string },
): string[] {
  const contents =
    'text' in where
      ? [{ name: 'text', bytes: Buffer.from(where.text) }]
      : filesBelow(where.folder).map((file) => ({ name: file, bytes: readFileSync(file) }));
  return contents.flatMap(({ name, bytes }) =>
    Object.entries(canaries)
      .filter(([, value]) => spellings(value).some((spelling) => bytes.includes(spelling)))
      .map(([field]) => `${name}: ${field}`),
  );
}
