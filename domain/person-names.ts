/** Compares without case and accents, and treats ß and ø as their languages do. */
const letters = new Intl.Collator('en', { sensitivity: 'base' });

/** Drops case, accents, spaces, hyphens, dots and apostrophes, which phones type in other forms than EMRs have. */
export const lettersOf = (name: string): string =>
  name
    .normalize('NFKD')
    .replace(/[\p{M}\s\p{Pd}.'‘’′ʻʼ`]/gu, '')
    .toLowerCase();

const initialsOf = (name: string): string =>
  name
    .split(/[\s\p{Pd}.]+/u)
    .map((word) => lettersOf(word).slice(0, 1))
    .join('');

/** Fewer letters begin too many names: `Al` is not yet `Alexandra`. */
const minBeginning = 3;

/** True if two spellings of given names can belong to one person: equal, one the beginning of the other, or its initials. */
export function givenNamesAgree(a: string, b: string): boolean {
  if (isSameName(a, b)) return true;
  const [short, long] = lettersOf(a).length <= lettersOf(b).length ? [a, b] : [b, a];
  const beginning = lettersOf(short);
  if (beginning === '') return false;
  const isBeginning = beginning.length >= minBeginning && lettersOf(long).startsWith(beginning);
  return isBeginning || initialsOf(long).startsWith(beginning);
}

/** An empty name equals none. */
export function isSameName(a: string, b: string): boolean {
  const [one, other] = [lettersOf(a), lettersOf(b)];
  return letters.compare(one, '') !== 0 && letters.compare(one, other) === 0;
}

export const gendersContradict = (a: string | undefined, b: string | undefined): boolean =>
  (a === 'male' && b === 'female') || (a === 'female' && b === 'male');
