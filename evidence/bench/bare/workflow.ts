import { proxyActivities } from '@temporalio/workflow';
import type { BareActivities } from './activities.js';

const { post } = proxyActivities<BareActivities>({ startToCloseTimeout: '30 s' });

const steps = 7;

/** R: the cost of seven calls on Temporal without any other work. */
export async function bare(): Promise<number> {
  for (let step = 1; step <= steps; step += 1) await post({ step });
  return steps;
}
