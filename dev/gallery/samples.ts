import { type NotificationType, requiredVariables } from '../../domain/notification/notification-types.js';

/** An invented patient's values. */
const values: Readonly<Record<string, string>> = {
  amount: '$149.00',
  appointmentDate: 'Tuesday, March 3 at 10:30 AM',
  balance: '$40.00',
  carrier: 'UPS',
  change: 'the dose is now 0.5 mg once a week.',
  changedFields: 'phone number, shipping address',
  code: '402913',
  dosingLine: 'Inject 0.25 mg under the skin once a week.',
  dueDate: 'March 14',
  expiryDate: 'April 30',
  intakeType: 'GLP-1',
  magicLinkUrl: 'https://portal.example.test/continue?token=3f9a1c',
  medication: 'Semaglutide 5mg/mL',
  message: 'Thank you for your question. Your next refill ships on Monday.',
  newPlan: 'quarterly',
  oldPlan: 'monthly',
  orderNumber: 'SR-10482',
  patientName: 'Ada Lovelace',
  pharmacyName: 'Northside Pharmacy',
  plan: 'monthly',
  providerName: 'Robin Okafor',
  providerSuffix: 'MD',
  questionnaireUrl: 'https://portal.example.test/questionnaire/7d21',
  reason: 'Please get in touch, so that we can find another way together.',
  renewalDate: 'March 14',
  resetLink: 'https://portal.example.test/reset?token=9b20ef',
  status: 'delayed by weather, new date March 5',
  trackingNumber: '1Z999AA10123456784',
};

/** An optional variable. */
const paymentLink = { paymentUrl: 'https://portal.example.test/pay?token=5c1e90' };

/** Values of types for which the common value does not fit, and optional variables. */
const exceptions: Partial<Record<NotificationType, Readonly<Record<string, string>>>> = {
  order_edited: { change: 'the shipping address is now 12 Analytical Way, Troy, NY 12180.' },
  order_canceled: { reason: 'You asked us to cancel it; nothing was charged.' },
  payment_error: { reason: 'Your bank declined the card.', ...paymentLink },
  pending_payment: paymentLink,
  lab_rejected: { reason: 'The tube arrived without a label.' },
  prescription_denied: { reason: 'It does not go together with another medication you take.' },
};

/** Values for each required and optional variable of a type. @throws when one has no sample */
export function sampleVariables(type: NotificationType): Record<string, string> {
  const names: readonly string[] = requiredVariables[type];
  const required = names.map((name): [string, string] => {
    const value = exceptions[type]?.[name] ?? values[name];
    if (value === undefined) throw new Error(`There is no sample of ${name}`);
    return [name, value];
  });
  return { ...Object.fromEntries(required), ...exceptions[type] };
}
