import { cancellationSignal } from '@temporalio/activity';
import { once } from 'node:events';
import type { Sql } from '../../db/client.js';
import { closePrescriberGap, openPrescriberGap } from '../../db/orchestrator/prescriber-gaps.js';
import { keepSignature } from '../../db/orchestrator/prescriber-signatures.js';
import {
  type PrescriberInfo,
  registryTimeoutMs,
  type ResolvedPrescriber,
  staticPrescriber,
  type StaticPrescriber,
} from '../../domain/orchestrator/prescribers.js';
import { base64Of } from '../../domain/signature-image.js';
import type { RegistryClient, RoutedPhysician } from '../../integrations/registry/client.js';
import { sha256 } from '../../platform/crypto/ids.js';
import type { Logger } from '../../platform/logger.js';

export interface PrescriberDependencies {
  sql: Sql;
  registry: RegistryClient;
  platform: string;
  staticPrescribers: Record<StaticPrescriber, PrescriberInfo>;
  logger: Logger;
}

export const createPrescriberActivities = (deps: PrescriberDependencies) => ({
  /**
   * Step 3: takes the registry's prescriber for the patient's state, with a signature if available, else the static
   * table's. If the registry answered without one, a work item says so (D122). Always succeeds. Safe to retry: it
   * stores a signature under its own digest, and opens one work item per platform and state.
   */
  async resolvePrescriber({ state }: { state: string }): Promise<ResolvedPrescriber> {
    const signal = AbortSignal.any([cancellationSignal(), AbortSignal.timeout(registryTimeoutMs)]);
    const limits = { timeoutMs: registryTimeoutMs, signal };
    try {
      const physician = await deps.registry.route(deps.platform, state, limits);
      if (physician) {
        const { firstName, lastName, suffix, npi, emrPractitionerId } = physician;
        const name = { firstName, lastName, suffix: suffix ?? '' };
        const [signatureId] = await Promise.all([
          keepSignatureOf(deps, physician, signal),
          noteMatch(deps, state, true, signal),
        ]);
        return { ...name, npi, emrPractitionerId: emrPractitionerId ?? '', signatureId };
      }
      await noteMatch(deps, state, false, signal);
    } catch (err) {
      deps.logger.warn({ err, state }, 'registry gave no prescriber, the static table decides');
    }
    return deps.staticPrescribers[staticPrescriber(state)];
  },
});

export type PrescriberActivities = ReturnType<typeof createPrescriberActivities>;

/**
 * Stores the physician's signature for step 4 and returns its id. The image (up to 700 kB of text) must not pass
 * through the workflow. A later signature must not change a submission that exists.
 * @returns undefined without a signature, or when it was not stored in time
 */
async function keepSignatureOf(
  { sql, logger }: PrescriberDependencies,
  { id: physicianId, signatureImage }: RoutedPhysician,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (!signatureImage) return undefined;
  try {
    const base64 = base64Of(signatureImage);
    const id = sha256(base64);
    await Promise.race([keepSignature(sql, { id, base64 }), rejectOnEnd(signal)]);
    return id;
  } catch (err) {
    logger.warn({ err, physicianId }, 'the prescription goes out without a signature');
    return undefined;
  }
}

/** Records if the registry has a prescriber for the state (D122). A database that fails must not cost the order. */
async function noteMatch(
  { sql, platform, logger }: PrescriberDependencies,
  state: string,
  isMatched: boolean,
  signal: AbortSignal,
): Promise<void> {
  try {
    const note = isMatched ? closePrescriberGap : openPrescriberGap;
    await Promise.race([note(sql, { platform, state }), rejectOnEnd(signal)]);
  } catch (err) {
    logger.warn({ err, state }, 'could not record whether the registry has a prescriber');
  }
}

async function rejectOnEnd(signal: AbortSignal): Promise<never> {
  if (!signal.aborted) await once(signal, 'abort');
  throw new Error('The database did not answer in time');
}
