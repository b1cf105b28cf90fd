import type { ErasureActivities } from '../../../activities/retention/retention.js';
import type { erasePatient as workflow } from '../../../workflows/retention/erase-patient.js';
import type { CasesOf } from '../cases.js';

const pass = [
  'openErasure',
  'eraseInNotification',
  'eraseInRouter',
  'eraseInBridge',
  'eraseInOrchestrator',
  'eraseInIntake',
  'eraseInPatients',
];
const erasureId = '00000000-0000-4000-8000-000000000094';

const two = async () => ({ erased: 2, waiting: 0 });
const activities = (replaced: Partial<ErasureActivities> = {}): ErasureActivities => ({
  openErasure: async () => undefined,
  eraseInNotification: two,
  eraseInRouter: two,
  eraseInBridge: two,
  eraseInOrchestrator: two,
  eraseInIntake: two,
  eraseInPatients: two,
  closeErasure: async () => false,
  ...replaced,
});

let looks = 0;

export const erasePatient: CasesOf<typeof workflow> = {
  erased: {
    args: [{ erasureId }],
    activities: activities(),
    expect: {
      behavior: 'every service is erased in its turn, the address last, and who is not touched is named',
      result: { erased: 12 },
      calls: [...pass, 'closeErasure'],
      details: ['**12** records overwritten', 'Not touched: the EMR; the pharmacies; the payment processor'],
    },
  },
  'under-way': {
    args: [{ erasureId }],
    activities: activities({
      eraseInRouter: async () => ({ erased: 1, waiting: ++looks % 3 === 0 ? 0 : 1 }),
    }),
    skipTime: true,
    expect: {
      behavior: 'what a run is still at work with is waited for, and it is not complete before',
      result: { erased: 33 },
      calls: [...pass, ...pass, ...pass, 'closeErasure'],
    },
  },
};
