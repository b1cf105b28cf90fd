import { proxyActivities } from '@temporalio/workflow';
import { inOrder } from './in-order.js';
import type { Request, Steps } from './steps.js';

const steps = proxyActivities<Steps>({ startToCloseTimeout: '15 s' });

/** The seven steps, each an ordinary activity. */
export const idealApproval = (request: Request) => inOrder(steps, request);
