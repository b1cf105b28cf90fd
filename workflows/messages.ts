import { defineQuery, defineSignal, defineUpdate } from '@temporalio/workflow';
import type { TestDelivery } from '../domain/orchestrator/event-endpoints.js';
import type { HandedInCard, PayAnswer } from '../domain/orchestrator/dunning.js';
import type { PipelineStep } from '../domain/orchestrator/pipeline.js';
import type { CancelledOrder, PharmacyUpdate } from '../domain/orchestrator/shipments.js';
import type { EmrAttempt } from '../domain/intake/intake.js';
import type { Actor } from '../domain/organization/actor.js';
import type { Activation } from '../domain/organization/custom-domains.js';

/** The run's table has changed. Without arguments, so that repeats are harmless. */
export const recheckSignal = defineSignal('recheck');

/** An activity of the run has failed for minutes (D109). The run knows which one. */
export const stuckSignal = defineSignal('stuck');

/** To followShipment. */
export const pharmacyUpdateSignal = defineSignal<[PharmacyUpdate]>('pharmacyUpdate');

/** To cancelApproval: a pharmacy has cancelled an order. */
export const orderCancelledSignal = defineSignal<[CancelledOrder]>('orderCancelled');

/** To a run of the pipeline (D33). */
export const completedStepsQuery = defineQuery<PipelineStep[]>('completedSteps');

/** To abandonedCheckout: the intake was submitted. */
export const submittedSignal = defineSignal('submitted');

/** To submitIntake: returns whether the submission is stored, once that is known. */
export const storedUpdate = defineUpdate<boolean>('stored');

/** To findOrCreateEmrPatient. The update fails only for a fault of our own. */
export const findOrCreateUpdate = defineUpdate<EmrAttempt, [{ submissionId: string; namesakeKey: string }]>(
  'findOrCreate',
);

/** To followHold: the table has the answer with this number. Returns once the pharmacy accepts or rejects it. */
export const answerHoldUpdate = defineUpdate<undefined, [number]>('answerHold');

/** To verifyCustomDomain: check now; the table has the result. */
export const verifyUpdate = defineUpdate<undefined, [Actor]>('verify');

/** To verifyCustomDomain: activate, if the hostname presents a valid certificate. */
export const activateUpdate = defineUpdate<Activation, [Actor]>('activate');

/** To deliverToEndpoint: deliver a test event now. Returns null without an endpoint (D130). */
export const testEndpointUpdate = defineUpdate<TestDelivery | null>('testEndpoint');

/** To recoverPayment: the patient pays with a new or the saved card (D107). */
export const payUpdate = defineUpdate<PayAnswer, [HandedInCard]>('pay');
