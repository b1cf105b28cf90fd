import { type Pharmacy, type PharmacySystem, systemOf } from '../../domain/pharmacies.js';
import {
  type Article,
  type ArticleChoice,
  type Catalog,
  chooseArticle,
  type OrderedMedication,
  withStored,
} from '../../domain/router/articles.js';
import { first, type Queryable } from '../client.js';

/** The catalog of each pharmacy's system. */
export type Catalogs = Readonly<Record<Pharmacy, { catalog: Catalog }>>;

export type StoredArticle = Omit<Article, 'source'> & { pharmacy: PharmacySystem };

/** A pharmacy's articles; a stored one replaces a built-in one of the same match. */
export async function listArticles(
  sql: Queryable,
  catalogs: Catalogs,
  pharmacy: Pharmacy,
): Promise<Article[]> {
  const stored = await sql<Article[]>`
    select match, article, strength, medication, 'stored' as source
    from router.article
    where pharmacy = ${systemOf(pharmacy)}
    order by updated_at desc, match
  `;
  return withStored(stored, catalogs[pharmacy].catalog.articles);
}

/**
 * The article of a pharmacy for a medication, or why the pharmacy is not called (D20, D124).
 * @returns undefined for a name that asks for none of its articles
 */
export async function findArticle(
  sql: Queryable,
  catalogs: Catalogs,
  pharmacy: Pharmacy,
  medication: OrderedMedication,
): Promise<ArticleChoice | undefined> {
  return chooseArticle(pharmacy, await listArticles(sql, catalogs, pharmacy), medication);
}

/** Adds or replaces the article of a pharmacy and match, compared without case. */
export async function putArticle(sql: Queryable, article: StoredArticle): Promise<void> {
  await sql`
    insert into router.article ${sql(article, 'pharmacy', 'match', 'article', 'strength', 'medication')}
    on conflict (pharmacy, lower(match)) do update set
      match = excluded.match, article = excluded.article, strength = excluded.strength,
      medication = excluded.medication, updated_at = clock_timestamp()
  `;
}

export const deleteArticle = (sql: Queryable, pharmacy: PharmacySystem, match: string) =>
  first(sql<StoredArticle[]>`
    delete from router.article
    where pharmacy = ${pharmacy} and lower(match) = lower(${match})
    returning pharmacy, match, article, strength, medication
  `);
