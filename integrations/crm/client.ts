import { type CallLimits, exchange, expectOk } from '../../platform/http/outbound.js';

const party = 'CRM webhook';

interface CrmNote {
  /** Equal for every attempt; also sent as `Idempotency-Key`. */
  id: string;
  type: string;
  email?: string;
  phone?: string;
  name?: string;
  subject: string;
  text: string;
}

export type CrmClient = ReturnType<typeof createCrmClient>;

/** A CRM webhook that takes JSON. @param url a secret: it grants write access */
export const createCrmClient = (url: string) => ({
  /** @throws OutboundError unless the status is 2xx */
  async send(note: CrmNote, limits: CallLimits): Promise<void> {
    const headers = { 'content-type': 'application/json', 'idempotency-key': note.id };
    const body = JSON.stringify(note);
    expectOk(party, await exchange({ party, method: 'POST', url, headers, body, ...limits }));
  },
});
