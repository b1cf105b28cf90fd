import { WorkflowNotFoundError } from '@temporalio/client';
import { keyedHash } from '../../platform/crypto/ids.js';
import type { abandonedCheckout } from '../../workflows/intake/abandoned-checkout.js';
import { checkoutWorkflowId } from '../../workflows/ids.js';
import { taskQueues } from '../../workflows/queues.js';
import type { ServiceContext } from '../context.js';

type Intake = Pick<ServiceContext, 'temporal' | 'config' | 'logger'>;

const startWithinMs = 5_000;
const cancelWithinMs = 1_000;

const idOf = ({ config }: Intake, email: string): string =>
  checkoutWorkflowId(keyedHash(config.service('intake').ID_HASH_SECRET, email.toLowerCase()));

/** An intake has begun: whoever does not submit it within 30 minutes is reminded (D66). */
export async function startCheckout(
  intake: Intake,
  { email, codeId, issuedAt }: { email: string; codeId: string; issuedAt: Date },
): Promise<void> {
  const { temporal } = intake;
  await temporal.withDeadline(Date.now() + startWithinMs, () =>
    temporal.workflow.start<typeof abandonedCheckout>('abandonedCheckout', {
      workflowId: idOf(intake, email),
      taskQueue: taskQueues.intake,
      workflowIdConflictPolicy: 'USE_EXISTING',
      args: [{ email, codeId, since: issuedAt.toISOString() }],
      staticSummary: 'An intake under way',
      staticDetails: 'Reminds the person when it is not submitted within 30 minutes.',
    }),
  );
}

/**
 * The intake of an address was submitted: nobody is reminded. Never fails and never takes long; should the signal be
 * lost, the reminder finds the submission itself.
 */
export async function cancelCheckout(intake: Intake, email: string): Promise<void> {
  const { temporal, logger } = intake;
  await temporal
    .withDeadline(Date.now() + cancelWithinMs, () =>
      temporal.workflow.getHandle<typeof abandonedCheckout>(idOf(intake, email)).signal('submitted'),
    )
    .catch((err: unknown) => {
      if (!(err instanceof WorkflowNotFoundError)) logger.warn({ err }, 'a checkout was not called off');
    });
}
