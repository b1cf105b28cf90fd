import type { Outside, Party } from '../outside.js';
import { createChat } from './chat.js';
import { createCrm } from './crm.js';
import { createDns } from './dns/dns.js';
import { createEmr } from './emr/emr.js';
import { createEvents } from './events.js';
import { createIdp } from './idp.js';
import { createPharmacyA } from './pharmacy-a.js';
import { createPharmacyB } from './pharmacy-b.js';
import { createShipping } from './shipping.js';
import { createSmtp } from './smtp.js';
import { createStripe } from './stripe/stripe.js';
import { createTls } from './tls/tls.js';
import { createTwilio } from './twilio.js';

/** All external services. A new one is a file and a line here. */
export async function createParties(outside: Outside): Promise<Party[]> {
  return [
    await createEmr(outside),
    createPharmacyA(outside),
    createPharmacyB(outside),
    createStripe(outside),
    createShipping(outside),
    createSmtp(outside),
    createTwilio(outside),
    createChat(outside),
    createCrm(outside),
    createEvents(outside),
    await createIdp(outside),
    createDns(outside),
    await createTls(outside),
  ];
}
