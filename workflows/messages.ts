import { defineQuery, defineSignal, defineUpdate } from '@temporalio/workflow';
import type { HandedInCard, PayAnswer } from '../domain/orchestrator/dunning.js';
import type { PipelineStep } from '../domain/orchestrator/pipeline.js';
import type { CancelledOrder, PharmacyUpdate } from '../domain/orchestrator/shipments.js';
import type { EmrAttempt } from '../domain/intake/intake.js';
import type { Actor } from '../domain/organization/actor.js';
import type { Activation } from '../domain/organization/custom-domains.js';

/** There is something new in the table; says nothing else, so that any number of them come to the same. */
export const recheckSignal = defineSignal('recheck');

/** An activity of the run has failed for minutes; which one the run knows, so that nothing need be told (D109). */
export const stuckSignal = defineSignal('stuck');

/** To followShipment: one update of the order, as the router reported it. */
export const pharmacyUpdateSignal = defineSignal<[PharmacyUpdate]>('pharmacyUpdate');

/** To cancelApproval: a pharmacy has cancelled an order. */
export const orderCancelledSignal = defineSignal<[CancelledOrder]>('orderCancelled');

/** To a run of the pipeline: the steps that are done (D33). */
export const completedStepsQuery = defineQuery<PipelineStep[]>('completedSteps');

/** To abandonedCheckout: the intake was submitted. */
export const submittedSignal = defineSignal('submitted');

/** To submitIntake, answered once it is settled whether the submission is stored. */
export const storedUpdate = defineUpdate<boolean>('stored');

/** To findOrCreateEmrPatient. What the EMR does is the answer; the update fails only for a fault of our own. */
export const findOrCreateUpdate = defineUpdate<EmrAttempt, [{ submissionId: string; namesakeKey?: string }]>(
  'findOrCreate',
);

/** To followHold: the answer of this number is in the table; answered once the pharmacy has taken or refused it. */
export const answerHoldUpdate = defineUpdate<undefined, [number]>('answerHold');

/** To verifyCustomDomain: look now; what it shows stands in the table. */
export const verifyUpdate = defineUpdate<undefined, [Actor]>('verify');

/** To verifyCustomDomain: activate, if a valid certificate is presented now. */
export const activateUpdate = defineUpdate<Activation, [Actor]>('activate');

/** To recoverPayment: the patient pays, with a card that is handed in or the one that is saved (D107). */
export const payUpdate = defineUpdate<PayAnswer, [HandedInCard]>('pay');
