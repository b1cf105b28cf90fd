import { findActiveMedication } from '../../db/orchestrator/medication-configs.js';
import { findPaymentProfile } from '../../db/orchestrator/payment-profiles.js';
import { isNpi } from '../../domain/check-digits.js';
import { judgePatient, readContact } from '../../domain/orderable-patient.js';
import { type MedicationConfig, orderedMedication } from '../../domain/orchestrator/medications.js';
import { finding, hasExpired, type PreflightFinding, verdict } from '../../domain/orchestrator/preflight.js';
import { registryTimeoutMs, staticPrescriber } from '../../domain/orchestrator/prescribers.js';
import { usableContact } from '../../domain/usable-contact.js';
import { createEmrClient } from '../../integrations/emr/client.js';
import { ownServices } from '../../integrations/own-services.js';
import { createRegistryClient } from '../../integrations/registry/client.js';
import { createRouterClient } from '../../integrations/router/client.js';
import { createCardClient } from '../../integrations/stripe/cards.js';
import { businessDay } from '../../platform/business-day.js';
import { OutboundError } from '../../platform/http/outbound.js';
import { isHeld } from '../../starts/orchestrator.js';
import type { ServiceContext } from '../context.js';
import { unavailable } from '../http-errors.js';
import type { ApproveRequest } from './contract.js';

/** Equal to the timeout of one attempt of the approval (D34). */
const timeoutMs = 5_000;

/**
 * Checks an approval in advance by the rules of its steps (D106). Starts no run and changes nothing. Checks that need
 * the patient's state are skipped if the state is unknown.
 * @returns a function that throws HttpError 503 if our router does not respond
 */
export function createPreflight({ config, sql, logger }: ServiceContext) {
  const own = config.service('orchestrator');
  const services = ownServices(own);
  const emr = createEmrClient({ baseUrl: own.EMR_BASE_URL, token: own.EMR_TOKEN });
  const registry = createRegistryClient(services.registry);
  const router = createRouterClient(services.router);
  const cards = createCardClient({ apiBase: own.STRIPE_API_BASE, secretKey: own.STRIPE_SECRET_KEY });
  const staticPrescribers = { A: own.PRESCRIBER_A, B: own.PRESCRIBER_B };

  return async (approval: ApproveRequest) => {
    const [isInUse, medication, patient, payment] = await Promise.all([
      isHeld(sql, approval),
      findActiveMedication(sql, approval.medication),
      patientFindings(approval),
      paymentFindings(approval),
    ]);
    const { state } = patient;
    const ofState =
      state === undefined
        ? []
        : await Promise.all([prescriberFindings(state), routeFindings(state, approval, medication)]);
    return verdict([
      ...(isInUse ? [finding('task_in_use')] : []),
      ...(medication ? [] : [finding('unknown_medication')]),
      ...patient.findings,
      ...ofState.flat(),
      ...payment,
    ]);
  };

  async function patientFindings({
    emrPatientId,
  }: ApproveRequest): Promise<{ findings: PreflightFinding[]; state?: string | undefined }> {
    const asked = await answerOf(() => emr.readPatient(emrPatientId, { timeoutMs }));
    if ('unanswered' in asked) return { findings: [finding('emr_unavailable')] };
    const { answer: resource } = asked;
    if (!resource) return { findings: [finding('patient_not_found')] };
    const reading = {
      today: businessDay(config.BUSINESS_TIMEZONE),
      consentExtension: own.EMR_CONSENT_EXTENSION,
    };
    const verdict = judgePatient(resource, reading);
    if ('left' in verdict) return { findings: [finding(`patient_${verdict.left}`)] };
    const { email, phone, unusable } = usableContact(readContact(resource, reading));
    const isUnreachable = email === undefined && phone === undefined && unusable.length === 0;
    const noContact = isUnreachable
      ? [finding('no_contact', ['email', 'phone'])]
      : unusable.map((contact) => finding('no_contact', [contact]));
    return 'patient' in verdict
      ? { findings: noContact, state: verdict.patient.address.state }
      : { findings: [finding('patient_incomplete', verdict.missing), ...noContact], state: verdict.state };
  }

  async function prescriberFindings(state: string): Promise<PreflightFinding[]> {
    const asked = await answerOf(() =>
      registry.route(own.ORCHESTRATOR_PLATFORM, state, { timeoutMs: registryTimeoutMs }),
    );
    const routed = 'answer' in asked ? asked.answer : null;
    const { npi } = routed ?? staticPrescribers[staticPrescriber(state)];
    const invalid = isNpi(npi) ? [] : [finding('prescriber_npi_invalid')];
    if ('unanswered' in asked) return [finding('registry_unavailable'), ...invalid];
    return routed ? invalid : [finding('no_licensed_prescriber'), ...invalid];
  }

  async function routeFindings(
    state: string,
    approval: ApproveRequest,
    medication: MedicationConfig | undefined,
  ): Promise<PreflightFinding[]> {
    const { name, key } = medication
      ? orderedMedication(medication)
      : { name: approval.medication, key: approval.medication };
    const asked = await answerOf(() => router.routeOf({ state, medication: name, key }, { timeoutMs }));
    if ('unanswered' in asked) throw unavailable();
    const { pharmacy, carriesMedication } = asked.answer;
    if (pharmacy === null) return [finding('no_pharmacy_route')];
    return medication && !carriesMedication ? [finding('medication_not_at_pharmacy', [pharmacy])] : [];
  }

  /** If the processor does not respond there is no finding, because the charge is retried later anyway. */
  async function paymentFindings({ emrPatientId }: ApproveRequest): Promise<PreflightFinding[]> {
    const profile = await findPaymentProfile(sql, emrPatientId);
    if (!profile) return [finding('no_payment_profile')];
    const asked = await answerOf(() => cards.findExpiry(profile.paymentMethodId));
    if ('unanswered' in asked) return [];
    if (!asked.answer) return [finding('no_payment_profile')];
    return hasExpired(asked.answer, new Date()) ? [finding('card_expired')] : [];
  }

  async function answerOf<T>(ask: () => Promise<T>): Promise<{ answer: T } | { unanswered: true }> {
    try {
      return { answer: await ask() };
    } catch (err) {
      if (!(err instanceof OutboundError)) throw err;
      logger.warn({ err }, 'a preflight got no response');
      return { unanswered: true };
    }
  }
}
