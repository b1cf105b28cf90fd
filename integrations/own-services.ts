import type { ServiceConfig } from '../platform/config.js';
import type { OnCall } from '../platform/http/call-log.js';
import type { SignedParty } from '../platform/http/signed-call.js';

/** Our services as the orchestrator calls them, signed with its own key. */
export function ownServices(own: ServiceConfig<'orchestrator'>, onCall?: OnCall) {
  const signer = { keyId: own.ORCHESTRATOR_API_KEY, secret: own.ORCHESTRATOR_API_SECRET, onCall };
  return {
    router: { party: 'Router', baseUrl: own.ROUTER_URL, ...signer },
    registry: { party: 'Registry', baseUrl: own.REGISTRY_URL, ...signer },
    notification: { party: 'Notification service', baseUrl: own.NOTIFICATION_URL, ...signer },
  } satisfies Record<string, SignedParty>;
}
