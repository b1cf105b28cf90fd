import { exchange, expectOk } from '../../platform/http/outbound.js';

const party = 'CRM webhook';

interface CrmNote {
  /** The same at every try: also sent as `Idempotency-Key`. */
  id: string;
  type: string;
  email?: string;
  phone?: string;
  name?: string;
  subject: string;
  text: string;
}

export interface CrmClient {
  /** Tells of one message to somebody. @throws OutboundError for anything but 2xx */
  send: (note: CrmNote, limits: { timeoutMs: number; signal: AbortSignal }) => Promise<void>;
}

/** A CRM that takes JSON over a webhook. @param url a secret: whoever has it may write */
export const createCrmClient = (url: string): CrmClient => ({
  async send(note, limits) {
    const headers = { 'content-type': 'application/json', 'idempotency-key': note.id };
    expectOk(
      party,
      await exchange({ party, method: 'POST', url, headers, body: JSON.stringify(note), ...limits }),
    );
  },
});
