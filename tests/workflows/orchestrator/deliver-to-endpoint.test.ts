import { describe, expect, it } from '@jest/globals';
import type { NextBatch } from '../../../activities/orchestrator/event-endpoints.js';
import { delivering, deliverToEndpoint } from '../../replay/cases/deliver-to-endpoint.js';
import { failingFirst, ownFault } from './pipeline-activities.js';
import { useRuns } from '../runs.js';

describe('the deliveries to an endpoint', () => {
  const { run, testCases } = useRuns('deliverToEndpoint');
  testCases(deliverToEndpoint);

  it('survive a database that is away for minutes: nothing is sent again', async () => {
    const batch = { batchId: 'b', events: 1, upTo: 1, series: 1, attempts: 0 };
    const next: NextBatch = { ...batch, firstAttemptAt: null, dueAt: null, lastError: null };
    const attempt = { at: '2026-01-01T00:00:00.000Z', durationMs: 1, status: 200, error: null };
    const { activities, args } = delivering({}, [[next, attempt]]);
    const recordBatchAttempt = failingFirst(
      20,
      () => activities.recordBatchAttempt(attempt as never),
      ownFault,
    );
    const { times } = await run({ args, activities: { ...activities, recordBatchAttempt } });
    expect(times('deliverBatch')).toBe(1);
    expect(times('recordBatchAttempt')).toBe(21);
  });
});
