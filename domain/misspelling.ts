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
  const edits = editsBetween(name, known);
  return edits <= most ? edits : undefined;
}

function mostEdits(length: number): number {
  if (length <= 3) return 0;
  return length <= 5 ? 1 : 2;
}

const withoutLetters = (name: string): string => name.replaceAll(/\p{L}/gu, '');

/** The names differ by two neighboring characters that changed places. */
function isSwapped(name: string, known: string): boolean {
  if (name.length !== known.length) return false;
  const at = [...name].findIndex((letter, index) => letter !== known[index]);
  return (
    name[at] === known[at + 1] && name[at + 1] === known[at] && name.slice(at + 2) === known.slice(at + 2)
  );
}

/** The number of characters to insert, leave out or change (Levenshtein). */
function editsBetween(name: string, known: string): number {
  let above = Array.from({ length: known.length + 1 }, (_, column) => column);
  for (const [row, letter] of [...name].entries()) {
    const current = [row + 1];
    for (const [column, other] of [...known].entries())
      current.push(
        Math.min(current[column]! + 1, above[column + 1]! + 1, above[column]! + (letter === other ? 0 : 1)),
      );
    above = current;
  }
  return above[known.length]!;
}
