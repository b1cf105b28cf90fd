import { type PipelineStep, pipelineSteps } from './pipeline.js';

export const preflightCodes = [
  'unknown_medication',
  'patient_not_found',
  'patient_deceased',
  'patient_merged',
  'patient_inactive',
  'patient_incomplete',
  'no_pharmacy_route',
  'medication_not_at_pharmacy',
  'no_licensed_prescriber',
  'prescriber_npi_invalid',
  'no_payment_profile',
  'card_expired',
  'no_contact',
  'task_in_use',
  'emr_unavailable',
  'registry_unavailable',
] as const;
export type PreflightCode = (typeof preflightCodes)[number];

/** A problem that an approval would meet (D106). The texts name fields, never values. */
export interface PreflightFinding {
  code: PreflightCode;
  step: PipelineStep;
  severity: 'blocks' | 'warns';
  message: string;
  remedy: string;
}

const wordings: Record<PreflightCode, { step: PipelineStep; message: string; remedy: string }> = {
  task_in_use: {
    step: 'medication_config',
    message:
      'taskId stands for an approval with other details, or for one that was taken back or is being denied',
    remedy: 'Approve under another taskId, or with the details of the first approval',
  },
  unknown_medication: {
    step: 'medication_config',
    message: 'medication is not the key of a medication config',
    remedy: 'Send the key of a medication config, exactly as it is written there, or add one',
  },
  emr_unavailable: {
    step: 'patient_details',
    message: 'The EMR did not give the patient',
    remedy: 'Try again once the EMR answers',
  },
  patient_not_found: {
    step: 'patient_details',
    message: 'emrPatientId is not the id of a patient in the EMR',
    remedy: 'Send the id of the Patient in the EMR',
  },
  patient_deceased: {
    step: 'patient_details',
    message: 'The patient is deceased',
    remedy: 'Order nothing; if the record is wrong, correct it in the EMR',
  },
  patient_merged: {
    step: 'patient_details',
    message: 'The patient record was merged into another one',
    remedy: 'Approve for the record that replaced it in the EMR',
  },
  patient_inactive: {
    step: 'patient_details',
    message: 'The patient record is inactive',
    remedy: 'Activate the patient in the EMR, or order nothing',
  },
  patient_incomplete: {
    step: 'patient_details',
    message: 'The patient record is incomplete',
    remedy: 'Complete these fields of the patient in the EMR',
  },
  no_licensed_prescriber: {
    step: 'prescriber_resolution',
    message: 'The registry has no prescriber for address.state, so the static table decides',
    remedy: 'Add a physician with a license and a routing rule for the state to the registry',
  },
  registry_unavailable: {
    step: 'prescriber_resolution',
    message: 'The registry did not answer, so the static table decides',
    remedy: 'Try again once the registry answers',
  },
  prescriber_npi_invalid: {
    step: 'prescriber_resolution',
    message: 'The check digit of prescriber.npi is wrong',
    remedy: 'Correct npi of the physician in the registry, or of the static prescriber',
  },
  no_pharmacy_route: {
    step: 'pharmacy_submission',
    message: 'No pharmacy serves address.state',
    remedy: 'Route the state to a pharmacy at the router, or correct address.state in the EMR',
  },
  medication_not_at_pharmacy: {
    step: 'pharmacy_submission',
    message: 'The pharmacy that serves address.state has no article for exactly this medication',
    remedy:
      'Add an article with the key of the medication to the catalog of the pharmacy, or route the state to another pharmacy',
  },
  no_payment_profile: {
    step: 'payment',
    message: 'No card is saved for emrPatientId',
    remedy: 'Have the patient save a card before the approval',
  },
  card_expired: {
    step: 'payment',
    message: 'The saved card has expired: exp_month, exp_year',
    remedy: 'Have the patient save another card',
  },
  no_contact: {
    step: 'notification',
    message: 'No message can be sent to the patient at',
    remedy: 'Add or correct email or phone in telecom of the patient in the EMR',
  },
};

/** These only warn, since the static table always gives a prescriber (D36). */
const warnings: readonly PreflightCode[] = [
  'no_licensed_prescriber',
  'registry_unavailable',
  'prescriber_npi_invalid',
];
const blockingSteps: readonly PipelineStep[] = pipelineSteps.slice(0, pipelineSteps.indexOf('payment'));

/** @param fields the affected fields, or the pharmacy, for findings where they vary */
export function finding(code: PreflightCode, fields: readonly string[] = []): PreflightFinding {
  const { step, message, remedy } = wordings[code];
  return {
    code,
    step,
    severity: blockingSteps.includes(step) && !warnings.includes(code) ? 'blocks' : 'warns',
    message: fields.length === 0 ? message : `${message}: ${fields.join(', ')}`,
    remedy,
  };
}

/** The findings in the order of their steps; `ready` unless one of them blocks. */
export function verdict(findings: readonly PreflightFinding[]): {
  ready: boolean;
  findings: PreflightFinding[];
} {
  const position = ({ step }: PreflightFinding) => pipelineSteps.indexOf(step);
  return {
    ready: findings.every(({ severity }) => severity !== 'blocks'),
    findings: findings.toSorted((a, b) => position(a) - position(b)),
  };
}

/** The last month in which a card can be charged. */
export interface CardExpiry {
  year: number;
  month: number;
}

export const hasExpired = ({ year, month }: CardExpiry, now: Date): boolean =>
  Date.UTC(year, month) <= now.getTime();
