import type { Sql } from '../../db/client.js';
import { addMissingLicenses } from '../../db/registry/licenses.js';
import { addMissingPhysicians } from '../../db/registry/physicians.js';
import { addMissingRoutingRules } from '../../db/registry/routing-rules.js';
import { addDays } from '../../domain/calendar.js';
import type { LicenseType } from '../../domain/registry/physician-routing.js';
import { usStates } from '../../domain/us-states.js';
import { businessDay } from '../../platform/business-day.js';
import type { ServiceConfig } from '../../platform/config.js';
import { uuidV5 } from '../../platform/crypto/ids.js';

interface SeededPrescriber {
  letter: 'a' | 'b';
  setting: 'PRESCRIBER_A' | 'PRESCRIBER_B';
  licenseType: LicenseType;
  states: readonly string[];
  priority: number;
  office: { line1: string; city: string; state: string; zip: string; phone: string };
}

/** The prescribers that our own routing rules choose from; the settings `PRESCRIBER_A` and `PRESCRIBER_B` name the people. */
const prescribers: readonly SeededPrescriber[] = [
  {
    letter: 'a',
    setting: 'PRESCRIBER_A',
    licenseType: 'FNP',
    states: ['AK', 'CT', 'HI', 'LA', 'NM', 'NY'],
    priority: 10,
    office: { line1: '210 Orchard Row', city: 'Albany', state: 'NY', zip: '12207', phone: '+15185550140' },
  },
  {
    letter: 'b',
    setting: 'PRESCRIBER_B',
    licenseType: 'MD',
    states: usStates,
    priority: 5,
    office: {
      line1: '48 Meridian Street',
      city: 'Columbus',
      state: 'OH',
      zip: '43215',
      phone: '+16145550141',
    },
  },
];

const licenseDays = 2 * 365;

/** Adds prescribers A and B with a license and a `platform_a` rule for each of their states. */
export async function seedPhysicians(
  sql: Sql,
  settings: ServiceConfig<'orchestrator'>,
): Promise<{ prescriberAId: string }> {
  const expirationDate = addDays(businessDay(settings.BUSINESS_TIMEZONE), licenseDays);
  await sql.begin(async (sql) => {
    for (const { letter, setting, licenseType, states, priority, office } of prescribers) {
      const { firstName, lastName, suffix, npi, emrPractitionerId } = settings[setting];
      const physicianId = physicianSeedId(letter);
      await addMissingPhysicians(sql, [
        {
          id: physicianId,
          email: `${firstName}.${lastName}@example.test`.toLowerCase(),
          firstName,
          lastName,
          suffix,
          npi,
          deaNumber: null,
          phone: office.phone,
          fax: null,
          addressLine1: office.line1,
          addressCity: office.city,
          addressState: office.state,
          addressZip: office.zip,
          signatureImage: null,
          organization: null,
          platform: 'platform_a',
          emrPractitionerId,
        },
      ]);
      const perState = states.map((state) => ({ id: uuidV5('seed', letter, state), physicianId, state }));
      await addMissingLicenses(
        sql,
        perState.map((license) => {
          const licenseNumber = `${license.state}-${licenseType}-${npi.slice(-5)}`;
          return { ...license, licenseNumber, licenseType, expirationDate };
        }),
      );
      await addMissingRoutingRules(
        sql,
        perState.map((rule) => ({ ...rule, platform: 'platform_a' as const, priority })),
      );
    }
  });
  return { prescriberAId: physicianSeedId('a') };
}

export const physicianSeedId = (letter: 'a' | 'b'): string => uuidV5('seed', 'physician', letter);
