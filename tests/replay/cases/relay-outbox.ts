import type { relayOutbox as workflow } from '../../../workflows/events/relay-outbox.js';
import type { CasesOf } from '../cases.js';

export const relayOutbox: CasesOf<typeof workflow> = {
  running: { args: ['router'], activities: { relayOutbox: async () => undefined }, openAt: 'relayOutbox' },
};
