import type { SignedParty } from '../../platform/http/signed-call.js';
import type { ServiceContext } from '../context.js';

const names = {
  ORCHESTRATOR_URL: 'Orchestrator',
  ORGANIZATION_URL: 'Organization service',
  PATIENTS_URL: 'Patient directory',
};

/** A service as the worklist calls it, with its own key. @param url the setting with the address */
export function partyAt({ config }: Pick<ServiceContext, 'config'>, url: keyof typeof names): SignedParty {
  const own = config.service('worklist');
  return {
    party: names[url],
    baseUrl: own[url],
    keyId: own.WORKLIST_API_KEY,
    secret: own.WORKLIST_API_SECRET,
  };
}
