import { afterAll, expect, test } from '@jest/globals';
import { putArticle } from '../../../db/router/articles.js';
import { sandbox } from '../../helpers/client.js';
import { ordersUnder } from '../../api/orchestrator/approvals.js';
import { closeParts, db, dev, running } from '../real-parts.js';
import { own, received } from './twice.js';

afterAll(closeParts);

test('A repeated call orders the article of the first one, although the catalog has changed meanwhile', async () => {
  const claim = await received();
  const { submissionId, claimId } = claim;
  const match = submissionId.replaceAll('-', '');
  const article = `A-${match}`;
  const stored = { pharmacy: 'pharmacy_a' as const, match, strength: null, medication: null };
  await sandbox(dev, '/pharmacies/pharmacy_a/articles', { method: 'POST', body: { article } });
  await putArticle(db, { ...stored, article });
  await own.claimSubmission({ ...claim, medicationName: match });

  const fault = { target: 'pharmacy_a', kind: 'lost-answer', about: submissionId, times: 1 };
  await sandbox(dev, '/faults', { method: 'POST', body: fault });
  const place = (input: Parameters<typeof own.placePharmacyOrder>[0]) => own.placePharmacyOrder(input);
  await expect(running(place, { submissionId, claimId }, 1)).rejects.toMatchObject({ type: 'Unavailable' });
  await putArticle(db, { ...stored, article: '12565' });
  await running(place, { submissionId, claimId }, 2);
  expect(await ordersUnder(dev, submissionId)).toMatchObject([{ body: { sku: article } }]);
});
