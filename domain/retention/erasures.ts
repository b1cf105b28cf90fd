/** How far an erasure is; one that has been completed begins again when it is asked for again. */
export const erasureStates = ['running', 'completed'] as const;
export type ErasureState = (typeof erasureStates)[number];

/** Where a patient's values stand, in the order in which they are erased; each has an activity of its own. */
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

/** What an erasure does not touch, for whoever asked for it to see to (D94). */
export const keptOutside = [
  'the EMR',
  'the pharmacies',
  'the payment processor',
  'the shipping service',
  'the providers of mail and text messages',
  'chat and CRM',
  'whoever is told of events and callbacks',
  'backups, until they are past their age',
  'closed runs in Temporal, encrypted, until they are past theirs',
] as const;

/** An erasure in plain words; who it is about is left to its ids. */
export const erasureDetails = (state: ErasureState): string =>
  `${state === 'completed' ? 'What the patient has told us is overwritten here' : 'What the patient has told us is being overwritten here'}; ids, amounts and times stay. Not touched: ${keptOutside.join('; ')}.`;
