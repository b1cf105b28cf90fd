import { listMedicationConfigs } from '../../db/orchestrator/medication-configs.js';
import type { RefillSchedule } from '../../db/orchestrator/refill-schedules.js';
import type { Queryable } from '../../db/client.js';
import { earliestFillDate } from '../../domain/orchestrator/refills.js';

/** Schedules as the API shows them, with the quantity that the next refill will have (D119, D145). */
export async function presentedSchedules(sql: Queryable, schedules: readonly RefillSchedule[]) {
  const quantities = new Map(
    (await listMedicationConfigs(sql)).map(({ key, quantity }) => [key, Number(quantity)]),
  );
  return schedules.map(({ shipTo, shipToFills, quantity, ...schedule }) => ({
    ...schedule,
    quantity: quantity ?? quantities.get(schedule.medication) ?? null,
    earliestFillDate: earliestFillDate(schedule.lastFillDate, schedule.daysSupply),
    shipTo: shipTo && {
      addressLine1: shipTo.line1,
      addressLine2: shipTo.line2 ?? null,
      city: shipTo.city,
      state: shipTo.state,
      zip: shipTo.zip,
      fillsLeft: shipToFills ?? 0,
    },
  }));
}

export async function presentedSchedule(sql: Queryable, schedule: RefillSchedule) {
  const [presented] = await presentedSchedules(sql, [schedule]);
  if (!presented) throw new Error('A schedule is missing');
  return presented;
}
