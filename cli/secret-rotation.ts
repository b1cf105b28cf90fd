import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A key's id ends with the day it was made, which tells its age. */
export const datedKey = (id: string, today = new Date()): string =>
  `${id}-${today.toISOString().slice(0, 10)}:${randomBytes(32).toString('base64')}`;

const maxAgeDays = 365;

/**
 * Does the next step of changing a secret. A ring gets a new key behind the present one, or puts the newest key first.
 * A secret of ours is replaced. Nothing else is touched, so that the steps can be taken with restarts between them.
 * @param generated the names of secrets that only we make
 * @returns what to do next
 */
export function rotateSecret(folder: string, name: string, generated: readonly string[]): string {
  const path = join(folder, name);
  if (name.endsWith('_DATABASE_URL')) {
    const url = new URL(readFileSync(path, 'utf8').trim());
    url.password = randomBytes(32).toString('hex');
    writeFileSync(path, url.href, { mode: 0o600 });
    return 'Run the migrations, which set the password, and restart the service.';
  }
  if (!generated.includes(name) || name.endsWith('_PASSWORD'))
    throw new Error(`${name} is not a secret that only we make.`);
  if (!name.endsWith('_KEYS')) {
    writeFileSync(path, randomBytes(32).toString('hex'), { mode: 0o600 });
    const stored = name.endsWith('_API_SECRET') ? 'run rx keys own, ' : '';
    return `${name} is new: ${stored}give it to everybody who has it, and restart them.`;
  }
  const keys = keysIn(path);
  const [first, ...others] = keys;
  const newest = others.at(-1);
  if (first === undefined) throw new Error(`${name} has no key.`);
  if (newest !== undefined && isNewer(newest, first)) {
    write(path, [newest, ...keys.filter((key) => key !== newest)]);
    const sealed = name === 'SECRET_ENCRYPTION_KEYS' ? ', then run rx keys reseal' : '';
    return `${idOf(newest)} is first: restart all holders${sealed}. In 30 days run this with --drop ${idOf(first)}.`;
  }
  const owner = name.replace(/_(CODEC_|ENCRYPTION_)?KEYS$/, '').toLowerCase();
  write(path, [...keys, uniqueKey(owner, keys)]);
  return 'A new key is behind the present one: restart all holders, the codec server first. Then run this again.';
}

/** Removes a key that is no longer first. @throws Error for the first one, which seals */
export function dropKey(folder: string, name: string, id: string): void {
  const path = join(folder, name);
  const keys = keysIn(path);
  if (!keys.slice(1).some((key) => idOf(key) === id))
    throw new Error(`${name} has no key ${id} behind the first.`);
  write(
    path,
    keys.filter((key) => idOf(key) !== id),
  );
}

/** Names each ring whose first key is older than a year, or says no day. */
export function oldKeys(folder: string, today = new Date()): string[] {
  const rings = readdirSync(folder).filter((name) => name.endsWith('_KEYS'));
  return rings.flatMap((name) => {
    const [first = ''] = keysIn(join(folder, name));
    const days = (today.getTime() - Date.parse(dayOf(first))) / 86_400_000;
    return days <= maxAgeDays
      ? []
      : [`${name}: ${idOf(first)} is older than ${maxAgeDays} days, or says no day`];
  });
}

const keysIn = (path: string): string[] => readFileSync(path, 'utf8').trim().split(',').filter(Boolean);
const write = (path: string, keys: readonly string[]): void =>
  writeFileSync(path, keys.join(','), { mode: 0o600 });
const idOf = (key: string): string => key.slice(0, key.indexOf(':'));
const madeOn = (key: string): string => /\d{4}-\d{2}-\d{2}(\.\d+)?$/.exec(idOf(key))?.[0] ?? '';
const dayOf = (key: string): string => madeOn(key).slice(0, 10);
const isNewer = (key: string, than: string): boolean =>
  madeOn(key).localeCompare(madeOn(than), 'en', { numeric: true }) > 0;

/** Two keys of one day differ by a number. */
function uniqueKey(owner: string, keys: readonly string[]): string {
  const made = datedKey(owner);
  const sameDay = keys.filter((key) => dayOf(key) === dayOf(made)).length;
  return sameDay === 0 ? made : made.replace(':', `.${sameDay + 1}:`);
}
