import type { Departure } from '../orderable-patient.js';

/** Why a patient gets no more refills (D117), the graver reason last. */
export const departureReasons = [
  'patient_inactive',
  'patient_merged',
  'patient_deceased',
  'patient_archived',
] as const;
export type DepartureReason = (typeof departureReasons)[number];

/** `asked`: an operator's pause. */
export const pausedReasons = ['asked', ...departureReasons] as const;
export type PausedReason = (typeof pausedReasons)[number];

/** The reason for what the EMR says of a patient. */
export const departureReason = (left: Departure): DepartureReason => `patient_${left}`;

/** The reasons that a graver one replaces. */
export const lesserThan = (reason: DepartureReason): DepartureReason[] =>
  departureReasons.slice(0, departureReasons.indexOf(reason));

/** The graver of two reasons; null if there is none. */
export const graverOf = (one: DepartureReason | null, other: DepartureReason | null) =>
  departureReasons.findLast((reason) => reason === one || reason === other) ?? null;
