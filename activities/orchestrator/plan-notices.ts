import type { Sql } from '../../db/client.js';
import { findMedicationConfig } from '../../db/orchestrator/medication-configs.js';
import { findTreatmentChange } from '../../db/orchestrator/plan-telling.js';
import { findPlan } from '../../db/orchestrator/plans.js';
import { checkInDueOn, type PlanNotice } from '../../domain/orchestrator/plan-notices.js';
import type { ChargeNotice } from './charge-notices.js';

/** Reads what the notices of plans say (D127). @param isOn `PLAN_NOTICES`; without it there is nothing to say */
export const createPlanNotices = ({ sql, isOn }: { sql: Sql; isOn: boolean }) => {
  return {
    /** The notice before a fill; undefined if the plan no longer waits for its check-in. */
    async readPlanNotice({ planId, fill }: PlanNotice): Promise<ChargeNotice | undefined> {
      const plan = isOn ? await findPlan(sql, planId) : undefined;
      if (plan?.status !== 'active' || plan.fill !== fill) return undefined;
      const dueDate = checkInDueOn(plan);
      return dueDate === undefined ? undefined : { emrPatientId: plan.emrPatientId, variables: { dueDate } };
    },

    /** The notice of a fill with another medication or other directions than the last; undefined for any other. */
    async readTreatmentChange(planId: string, n: number): Promise<ChargeNotice | undefined> {
      const plan = isOn ? await findPlan(sql, planId) : undefined;
      const changed = plan && (await findTreatmentChange(sql, planId, n));
      if (!changed || plan.status === 'paused') return undefined;
      const [from, to] = [await treatmentOf(changed.from), await treatmentOf(changed.to)];
      const change = `from ${from.text} to ${to.text}`;
      return { emrPatientId: plan.emrPatientId, variables: { medication: to.name, change } };
    },
  };

  async function treatmentOf({ medication, dosage }: { medication: string; dosage: string | null }) {
    const config = await findMedicationConfig(sql, medication);
    const name = config?.displayName ?? medication;
    const directions = dosage ?? config?.sig;
    return { name, text: directions === undefined ? name : `${name}, ${directions}` };
  }
};

export type PlanNotices = ReturnType<typeof createPlanNotices>;
