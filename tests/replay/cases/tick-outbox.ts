import type { tickOutbox as workflow } from '../../../workflows/events/tick-outbox.js';
import type { CasesOf } from '../cases.js';

export const tickOutbox: CasesOf<typeof workflow> = {
  shipped: { args: ['patients'], activities: { tickOutbox: async () => 3 } },
};
