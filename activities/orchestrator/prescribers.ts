import { cancellationSignal } from '@temporalio/activity';
import { type PrescriberInfo, staticPrescriber, type StaticPrescriber } from '../../domain/prescribers.js';
import type { RegistryClient } from '../../integrations/registry/client.js';
import type { Logger } from '../../platform/logger.js';

/** After this the static table decides (D36). */
const registryTimeoutMs = 2_000;

export interface PrescriberDependencies {
  registry: RegistryClient;
  platform: string;
  staticPrescribers: Record<StaticPrescriber, PrescriberInfo>;
  logger: Logger;
}

export const createPrescriberActivities = (deps: PrescriberDependencies) => ({
  /**
   * Step 3: the registry's choice for the patient's state, else the static table's. Always succeeds.
   *
   * Safe to retry: it only reads.
   */
  async resolvePrescriber({ state }: { state: string }): Promise<PrescriberInfo> {
    try {
      const limits = { timeoutMs: registryTimeoutMs, signal: cancellationSignal() };
      const physician = await deps.registry.route(deps.platform, state, limits);
      if (physician) {
        const { firstName, lastName, suffix, npi, emrPractitionerId } = physician;
        return { firstName, lastName, suffix: suffix ?? '', npi, emrPractitionerId: emrPractitionerId ?? '' };
      }
    } catch (err) {
      deps.logger.warn({ err, state }, 'registry gave no prescriber, the static table decides');
    }
    return deps.staticPrescribers[staticPrescriber(state)];
  },
});

export type PrescriberActivities = ReturnType<typeof createPrescriberActivities>;
