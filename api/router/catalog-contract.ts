import { z } from 'zod';
import { pharmacySystems } from '../../domain/pharmacies.js';
import { text } from '../../platform/http/text.js';

const line = (maxCharacters: number) =>
  text(maxCharacters)
    .regex(/^[^\p{C}\p{Zl}\p{Zp}]*$/u, 'must be printable characters')
    .trim()
    .min(1);
const match = line(200);

export const catalogParams = z.object({
  pharmacy: z.enum(pharmacySystems).describe('pharmacy_c orders by the articles of pharmacy_a'),
});
export const catalogQuery = z.object({ match });

export const newArticle = z.object({
  match: match.describe('Text of `medication.name` that selects the article, compared without case'),
  article: line(100).describe("The pharmacy's SKU or catalog id"),
  strength: line(40).nullish().describe('For example `5mg/mL`; a name that states another is rejected'),
  medication: text(64)
    .regex(/^[a-z0-9][a-z0-9_-]*$/, 'must be the key of a medication')
    .nullish()
    .describe('Key of the medication that this article fills, whatever its name'),
});

const article = z
  .object({
    pharmacy: z.enum(pharmacySystems),
    match: z.string(),
    article: z.string(),
    strength: z.string().nullable(),
    medication: z.string().nullable(),
    source: z.enum(['built_in', 'stored']),
  })
  .meta({ id: 'Article' });
export const oneArticle = z.object({ article });
export const articles = z.object({ articles: z.array(article) });
