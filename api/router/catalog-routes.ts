import { deleteArticle, listArticles, putArticle } from '../../db/router/articles.js';
import { pharmacySystems } from '../../domain/pharmacies.js';
import { createPharmacies } from '../../integrations/pharmacies/registry.js';
import type { App, ServiceContext } from '../context.js';
import { conflict, fieldErrors, notFound } from '../http-errors.js';
import { adminKeysOnly } from '../plugins/signed.js';
import * as contract from './catalog-contract.js';

const common = { tags: ['Catalog'], security: [{ signature: [] }] };
const access = { none: 'the articles of pharmacies' } as const;

/** The articles of pharmacies, for keys with the scope `admin` (D124). */
export function catalogRoutes(signed: App, { sql, config }: ServiceContext): void {
  const adapters = createPharmacies(config.service('router'));

  signed.get(
    '/rx/catalog',
    {
      config: { access },
      preValidation: adminKeysOnly,
      schema: {
        ...common,
        summary: 'List the articles of all pharmacies',
        response: { 200: contract.articles, ...fieldErrors(401, 403, 429, 500) },
      },
    },
    async () => {
      const lists = pharmacySystems.map(async (pharmacy) =>
        (await listArticles(sql, adapters, pharmacy)).map((article) => ({ pharmacy, ...article })),
      );
      return { articles: (await Promise.all(lists)).flat() };
    },
  );

  signed.put(
    '/rx/catalog/:pharmacy',
    {
      config: { access },
      preValidation: adminKeysOnly,
      schema: {
        ...common,
        summary: 'Add or replace the article of a pharmacy and match',
        description: 'Applies from the next order. Replaces a built-in article with the same match.',
        params: contract.catalogParams,
        body: contract.newArticle,
        response: { 200: contract.oneArticle, ...fieldErrors(400, 401, 403, 413, 415, 429, 500) },
      },
    },
    async ({ params: { pharmacy }, body: { match, article, strength = null, medication = null } }) => {
      const stored = { pharmacy, match, article, strength, medication };
      await putArticle(sql, stored);
      return { article: { ...stored, source: 'stored' as const } };
    },
  );

  signed.delete(
    '/rx/catalog/:pharmacy',
    {
      config: { access },
      preValidation: adminKeysOnly,
      schema: {
        ...common,
        summary: 'Remove a stored article',
        description: 'A built-in article with the same match applies again.',
        params: contract.catalogParams,
        querystring: contract.catalogQuery,
        response: { 200: contract.oneArticle, ...fieldErrors(400, 401, 403, 404, 409, 413, 415, 429, 500) },
      },
    },
    async ({ params: { pharmacy }, query: { match } }) => {
      const removed = await deleteArticle(sql, pharmacy, match);
      if (removed) return { article: { ...removed, source: 'stored' as const } };
      const { articles } = adapters[pharmacy].catalog;
      if (articles.some((one) => one.match === match.toLowerCase())) throw conflict('Article is built in');
      throw notFound('Article not found');
    },
  );
}
