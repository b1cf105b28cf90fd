/** The seven steps of an approval, in order (page 1, Pipeline steps). */
export const pipelineSteps = [
  'medication_config',
  'patient_details',
  'prescriber_resolution',
  'pharmacy_submission',
  'payment',
  'shipment',
  'notification',
] as const;

export type PipelineStep = (typeof pipelineSteps)[number];

/** The steps that only warn when they fail; the others halt the run. */
export type WarningStep = 'payment' | 'shipment' | 'notification';
export type PipelineWarning = `${WarningStep}_failed`;

const titles: Record<PipelineStep, string> = {
  medication_config: 'Medication configuration',
  patient_details: 'Find patient in EMR',
  prescriber_resolution: 'Choose prescriber',
  pharmacy_submission: 'Submit to pharmacy',
  payment: 'Charge saved card',
  shipment: 'Create shipment',
  notification: 'Notify patient',
};

/** Names a step as an operator reads it: `4/7 Submit to pharmacy`. */
export const stepTitle = (step: PipelineStep): string =>
  `${pipelineSteps.indexOf(step) + 1}/${pipelineSteps.length} ${titles[step]}`;

/** Names a step in running text, where the Web UI would set `4/7` as a fraction: `step 4 of 7, Submit to pharmacy`. */
export const stepPhrase = (step: PipelineStep): string =>
  `step ${pipelineSteps.indexOf(step) + 1} of ${pipelineSteps.length}, ${titles[step]}`;

/** Page 1, PipelineResult; optional fields are absent, never null (D43). */
export interface PipelineResult {
  success: boolean;
  completedSteps: PipelineStep[];
  failedStep?: PipelineStep;
  error?: string;
  warnings: PipelineWarning[];
  /** The display name once it is known, before that the key as asked for. */
  medication: string;
  patientName: string;
  state: string;
  submissionId?: string;
}

/** The external service that a step calls, by the name under which its calls are recorded. */
export const partyOf: Partial<Record<PipelineStep, string>> = {
  patient_details: 'EMR',
  prescriber_resolution: 'Registry',
  pharmacy_submission: 'Router',
  payment: 'Payment processor',
  shipment: 'Shipping service',
  notification: 'Notification service',
};
