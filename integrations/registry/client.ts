import { z } from 'zod';
import { parseAnswer } from '../../platform/http/outbound.js';
import { signedCall, type SignedParty } from '../../platform/http/signed-call.js';

const route = z.object({
  physician: z
    .object({
      id: z.string(),
      firstName: z.string(),
      lastName: z.string(),
      suffix: z.string().nullable(),
      npi: z.string(),
      emrPractitionerId: z.string().nullable(),
      signatureImage: z.string().nullable().optional(),
    })
    .nullable(),
});
const profile = z.object({ physician: z.object({ signatureImage: z.string().nullable() }) });
export type RoutedPhysician = NonNullable<z.infer<typeof route>['physician']>;

export interface RegistryClient {
  /**
   * The physician for a platform and state, or null when nobody is available there. The signature image comes with it;
   * a registry that does not know to give it leaves it out.
   * @throws OutboundError
   */
  route: (
    platform: string,
    state: string,
    options: { timeoutMs: number; signal?: AbortSignal },
  ) => Promise<RoutedPhysician | null>;
  /** The signature image of a physician as it was handed in, or null without one. @throws OutboundError */
  signatureOf: (
    physicianId: string,
    options: { timeoutMs: number; signal?: AbortSignal },
  ) => Promise<string | null>;
}

export function createRegistryClient(settings: SignedParty): RegistryClient {
  const { party } = settings;
  return {
    async route(platform, state, options) {
      const query = new URLSearchParams({ platform, state, withSignature: 'true' });
      const response = await signedCall(settings, {
        method: 'GET',
        resource: 'route',
        path: `/route?${query.toString()}`,
        ...options,
      });
      return parseAnswer(party, response, route).physician;
    },

    async signatureOf(physicianId, options) {
      const path = `/physicians/${encodeURIComponent(physicianId)}`;
      const response = await signedCall(settings, { method: 'GET', resource: 'physician', path, ...options });
      return parseAnswer(party, response, profile).physician.signatureImage;
    },
  };
}
