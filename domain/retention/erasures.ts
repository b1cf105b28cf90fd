/** A new request starts a completed erasure again. */
export const erasureStates = ['running', 'completed'] as const;
export type ErasureState = (typeof erasureStates)[number];

/** The places of a patient's data, in the order of erasure. Each has its own activity. */
export const erasedParts = {
  notification: 'the notification log',
  router: 'orders, their webhooks and callbacks',
  bridge: 'webhooks of the EMR and their events',
  orchestrator: 'results of runs, and refill schedules',
  intake: 'intakes',
  patients: 'the directory, its archive and its events',
} as const;
export type ErasedPart = keyof typeof erasedParts;
export const erasedPartNames = Object.keys(erasedParts) as ErasedPart[];

/** The places that an erasure does not reach, for the person who requested it (D94). */
export const keptOutside = [
  'the EMR',
  'the pharmacies',
  'the payment processor',
  'the shipping service',
  'the providers of mail and text messages',
  'chat and CRM',
  'the receivers of events and callbacks',
  'backups, until they are past their age',
  'closed runs in Temporal, encrypted, until they are past theirs',
] as const;

/**
 * An erasure in plain words, without naming the patient.
 * @param leavesByAddress records stay that only an address links to the patient
 */
export const erasureDetails = (state: ErasureState, leavesByAddress = false): string =>
  `${state === 'completed' ? 'The data of the patient is overwritten here' : 'The data of the patient is being overwritten here'}; ids, amounts and times stay. ${leavesByAddress ? `${leftByAddress} ` : ''}Not touched: ${keptOutside.join('; ')}.`;

export const leftByAddress =
  'Records may stay that only an e-mail address links to the patient, since another person may use the address.';
