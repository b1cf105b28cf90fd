/** A product of a pharmacy, and which medications it fills (D124). */
export interface Article {
  /** A text of `medication.name` that asks for this article. It is text, not a pattern. */
  match: string;
  /** The pharmacy's SKU or catalog id. */
  article: string;
  /** For example `5mg/mL`. Without it the article fills no text that states a concentration. */
  strength: string | null;
  /** The key of the only medication that this article fills whatever its name says. */
  medication: string | null;
  source: 'built_in' | 'stored';
}

/** The article of an order, or why the pharmacy is not called. */
export type ArticleChoice = { article: string } | { rejection: string };

/** A pharmacy's articles that no operator added, and its choice for a text that asks for none. */
export interface Catalog {
  articles: readonly Article[];
  unknown: ArticleChoice;
}

/** The medication of an order. */
export interface OrderedMedication {
  name: string;
  key?: string | undefined;
}

/** Page 1, Medication config: the texts of the built-in articles, with their strengths. */
const strengths = { semaglutide: '5mg/mL', tirzepatide: '16.75mg-5mg/mL', nad: '200mg/mL' };
type CatalogMedication = keyof typeof strengths;
const catalogMedications = Object.keys(strengths) as CatalogMedication[];

/** @param ids the pharmacy's own ids; the pharmacy does not carry a medication without one */
export const builtInArticles = (ids: Partial<Record<CatalogMedication, string | undefined>>): Article[] =>
  catalogMedications.flatMap((match): Article[] => {
    const article = ids[match];
    return article === undefined
      ? []
      : [{ match, article, strength: strengths[match], medication: null, source: 'built_in' }];
  });

/** A label for operators: the only built-in medication that a free text names. The text itself may name a patient. */
export function catalogMedication(name: string): CatalogMedication | 'other' {
  const named = catalogMedications.filter((medication) => isNamed(fold(name), medication));
  return named.length === 1 && named[0] ? named[0] : 'other';
}

/** Replaces each built-in article by a stored one with the same match. @param stored newest first */
export const withStored = (stored: readonly Article[], builtIn: readonly Article[]): Article[] => [
  ...stored,
  ...builtIn.filter(({ match }) => !stored.some((one) => fold(one.match) === fold(match))),
];

/** True if the pharmacy can fill an order with this choice. */
export const canFill = (choice: ArticleChoice | undefined): boolean =>
  choice !== undefined && 'article' in choice;

/**
 * The article for a medication: the one of its key, else the one with the longest match in its name. A name that asks
 * for two articles, or for another strength, is rejected, and so is a match inside a word.
 * @param articles stored ones first, newest first
 * @returns undefined for a name without any match
 */
export function chooseArticle(
  pharmacy: string,
  articles: readonly Article[],
  { name, key }: OrderedMedication,
): ArticleChoice | undefined {
  const ofKey = articles.filter(({ medication }) => medication !== null && medication === key);
  const [ours] = ofKey;
  if (ours) {
    const other = ofKey.find(({ article }) => article !== ours.article);
    return other ? ambiguous(pharmacy, ours, other) : { article: ours.article };
  }

  const text = fold(name);
  const contained = articles.filter(({ match }) => text.includes(fold(match)));
  if (contained.length === 0) return undefined;
  const [best, ...rest] = contained
    .filter(({ match }) => isNamed(text, fold(match)))
    .toSorted((a, b) => fold(b.match).length - fold(a.match).length);
  if (!best) return { rejection: `No article of ${pharmacy} for this medication` };
  const other = rest.find(
    ({ match, article }) => article !== best.article && !fold(best.match).includes(fold(match)),
  );
  if (other) return ambiguous(pharmacy, best, other);
  const known = numbersOf(best.strength ?? '');
  if (concentrationsOf(text).some((concentration) => !known.includes(concentration)))
    return { rejection: `No article of ${pharmacy} for this strength` };
  return { article: best.article };
}

const ambiguous = (pharmacy: string, ...[one, other]: [Article, Article]): ArticleChoice => ({
  rejection: `Ambiguous medication for ${pharmacy}: ${one.match}, ${other.match}`,
});

/** Full-width letters and digits count as the plain ones. */
const fold = (text: string): string => text.normalize('NFKC').toLowerCase();

/** True if a text contains a match as a word: "menadione" and "nadolol" do not name "nad". */
function isNamed(text: string, match: string): boolean {
  const endsInLetter = letterAtEnd.test(match);
  for (let at = text.indexOf(match); at !== -1; at = text.indexOf(match, at + 1)) {
    const isCut = endsInLetter && letterAtStart.test(text.slice(at + match.length));
    if (!isCut && !letterAtEnd.test(text.slice(0, at))) return true;
  }
  return false;
}
const letterAtStart = /^[\p{L}\p{M}]/u;
const letterAtEnd = /[\p{L}\p{M}]$/u;

/** The mg/mL that a folded text states; NaN for a number that cannot be read, which no strength has. */
const concentrationsOf = (text: string): number[] =>
  Array.from(
    text.replace(/\s+/g, ' ').matchAll(/([\d.,]{1,20}) ?mg ?(?:\/|per) ?([\d.,]{0,20}) ?ml/g),
    ([, mg, mL]) => Number(mg) / (mL === '' ? 1 : Number(mL)),
  );

const numbersOf = (strength: string): number[] => (fold(strength).match(/\d+(?:\.\d+)?/g) ?? []).map(Number);
