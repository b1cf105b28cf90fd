import type { PipelineStep, PipelineWarning } from '../../domain/orchestrator/pipeline.js';

/** One approval of the demo and its expected result, here and at external services. */
export interface DemoCase {
  title: string;
  /** The index of the seeded patient. */
  patient: { state: string; card: string };
  medication: 'semaglutide' | 'tirzepatide';
  expected: Expectation;
}

type Expectation =
  | {
      status: 'completed';
      pharmacy: 'pharmacy_a' | 'pharmacy_b' | 'pharmacy_c';
      prescriberSuffix: string;
      warnings: PipelineWarning[];
      charged: boolean;
      /** A carrier label in step 6; other pharmacies report their own shipment later (D38). */
      labelMade: boolean;
    }
  | { status: 'failed'; failedStep: PipelineStep; error: string };

const visa = 'pm_card_visa';

export const demoCases: readonly DemoCase[] = [
  {
    title: 'New York, semaglutide',
    patient: { state: 'NY', card: visa },
    medication: 'semaglutide',
    expected: {
      status: 'completed',
      pharmacy: 'pharmacy_c',
      prescriberSuffix: 'FNP-C',
      warnings: [],
      charged: true,
      labelMade: true,
    },
  },
  {
    title: 'Texas, tirzepatide',
    patient: { state: 'TX', card: visa },
    medication: 'tirzepatide',
    expected: {
      status: 'completed',
      pharmacy: 'pharmacy_b',
      prescriberSuffix: 'MD',
      warnings: [],
      charged: true,
      labelMade: false,
    },
  },
  {
    title: 'Washington, semaglutide',
    patient: { state: 'WA', card: visa },
    medication: 'semaglutide',
    expected: {
      status: 'completed',
      pharmacy: 'pharmacy_a',
      prescriberSuffix: 'MD',
      warnings: [],
      charged: true,
      labelMade: false,
    },
  },
  {
    title: 'California, where no pharmacy ships',
    patient: { state: 'CA', card: visa },
    medication: 'semaglutide',
    expected: {
      status: 'failed',
      failedStep: 'pharmacy_submission',
      error: 'No pharmacy route configured for state: CA',
    },
  },
  {
    title: 'New York, a card that is declined',
    patient: { state: 'NY', card: 'pm_card_chargeCustomerFail' },
    medication: 'semaglutide',
    expected: {
      status: 'completed',
      pharmacy: 'pharmacy_c',
      prescriberSuffix: 'FNP-C',
      warnings: ['payment_failed'],
      charged: false,
      labelMade: true,
    },
  },
];
