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

/** The steps whose failure is only a warning; any other failure ends the run. */
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

/** For example `4/7 Submit to pharmacy`. */
export const stepTitle = (step: PipelineStep): string =>
  `${pipelineSteps.indexOf(step) + 1}/${pipelineSteps.length} ${titles[step]}`;

/** `step 4 of 7, Submit to pharmacy`, for text that the Web UI renders, which turns `4/7` into a fraction. */
export const stepPhrase = (step: PipelineStep): string =>
  `step ${pipelineSteps.indexOf(step) + 1} of ${pipelineSteps.length}, ${titles[step]}`;

/** Page 1, PipelineResult; optional fields are absent, never null (D43). */
export interface PipelineResult {
  success: boolean;
  completedSteps: PipelineStep[];
  failedStep?: PipelineStep;
  error?: string;
  warnings: PipelineWarning[];
  /** The display name, or the requested key until the name is known. */
  medication: string;
  patientName: string;
  state: string;
  submissionId?: string;
}

/** The external service that a step calls, as the call log names it. */
export const partyOf: Partial<Record<PipelineStep, string>> = {
  patient_details: 'EMR',
  prescriber_resolution: 'Registry',
  pharmacy_submission: 'Router',
  payment: 'Payment processor',
  shipment: 'Shipping service',
  notification: 'Notification service',
};

/** Limits of an approval, for the API and for events of the EMR (D6, D32). */
export const maxTaskIdLength = 200;
export const printable = /^[^\p{C}\p{Zl}\p{Zp}]*$/u;
/** Prefix of our own refill tasks. */
export const refillPrefix = 'refill-';
export const maxDosageLength = 2000;

export const isTaskId = (text: string): boolean =>
  text.length <= maxTaskIdLength && /\S/.test(text) && printable.test(text) && !text.startsWith(refillPrefix);
