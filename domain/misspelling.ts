/**
 * The known name that an unknown one misspells (D136): the nearest, the first of equally near ones. Undefined if none is near.
 */
export function nearestName(unknown: string, known: Iterable<string>): string | undefined {
  let nearest: { name: string; distance: number } | undefined;
  for (const name of known) {
    const distance = distanceTo(plain(unknown), plain(name));
    if (distance !== undefined && distance < (nearest?.distance ?? Infinity)) nearest = { name, distance };
  }
  return nearest?.name;
}

const plain = (name: string): string => name.toLowerCase().replaceAll(/[_-]/g, '');

/** @returns undefined if the name does not misspell the known one */
function distanceTo(name: string, known: string): number | undefined {
  if (name === known) return 0;
  const most = mostEdits(known.length);
  if (Math.abs(name.length - known.length) > most) return undefined;
  // Only letters are misspelt: `phone2` is a second phone, and `line2` a second line.
  if (withoutLetters(name) !== withoutLetters(known)) return undefined;
  if (isSwapped(name, known)) return 1;
  const edits = editsBetween(name, known, most);
  return edits <= most ? edits : undefined;
}

function mostEdits(length: number): number {
  if (length <= 3) return 0;
  return length <= 5 ? 1 : 2;
}

const withoutLetters = (name: string): string => name.replaceAll(/\p{L}/gu, '');

/** The names differ by two neighboring characters that changed places. */
function isSwapped(name: string, known: string): boolean {
  let at = 0;
  while (at < name.length && name[at] === known[at]) at += 1;
  return (
    name[at] === known[at + 1] && name[at + 1] === known[at] && name.slice(at + 2) === known.slice(at + 2)
  );
}

/** The number of characters to insert, leave out or change (Levenshtein). The bound keeps the search short. */
function editsBetween(name: string, known: string, most: number): number {
  if (most < 0) return Infinity;
  if (name === '' || known === '') return name.length + known.length;
  const [rest, knownRest] = [name.slice(1), known.slice(1)];
  if (known.startsWith(name.charAt(0))) return editsBetween(rest, knownRest, most);
  const changed = editsBetween(rest, knownRest, most - 1);
  return 1 + Math.min(changed, editsBetween(rest, known, most - 1), editsBetween(name, knownRest, most - 1));
}
