import { textOf } from './template.js';

/** The notification types with the variables that their templates need (page 2, Notification types; D68). */
export const requiredVariables = {
  welcome: ['patientName'],
  otp: ['code'],
  password_reset: ['patientName', 'resetLink'],
  information_changed: ['patientName', 'changedFields'],
  prescription_changed: ['patientName', 'medication', 'change'],
  what_to_expect: ['patientName', 'intakeType'],
  doctor_message: ['patientName', 'providerName'],
  support_message: ['patientName', 'message'],
  first_prescription: ['patientName', 'medication', 'providerName', 'providerSuffix', 'dosingLine'],
  new_prescription: ['patientName', 'medication', 'pharmacyName'],
  new_refill: ['patientName', 'medication'],
  four_month_checkin: ['patientName'],
  subscription_renewal: ['patientName', 'plan', 'amount', 'renewalDate'],
  payment_method_updated: ['patientName'],
  doctor_reviewed: ['patientName', 'providerName'],
  magic_link: ['magicLinkUrl', 'intakeType'],
  follow_up_due: ['patientName', 'dueDate'],
  follow_up_past_due: ['patientName', 'dueDate'],
  follow_up_two_days: ['patientName', 'appointmentDate'],
  checkin_renewal: ['patientName'],
  visit_scheduled: ['patientName', 'appointmentDate', 'providerName'],
  visit_upcoming: ['patientName', 'appointmentDate', 'providerName'],
  visit_complete: ['patientName', 'providerName'],
  three_month_checkin: ['patientName'],
  billing_plan_change: ['patientName', 'oldPlan', 'newPlan', 'amount'],
  pending_payment: ['patientName', 'amount', 'dueDate'],
  treatment_change: ['patientName', 'medication', 'change'],
  balance_expiring: ['patientName', 'balance', 'expiryDate'],
  questionnaire_link: ['patientName', 'questionnaireUrl'],

  first_order_confirmation: ['patientName', 'medication', 'orderNumber'],
  order_confirmation: ['patientName', 'medication', 'orderNumber'],
  receipt: ['patientName', 'amount', 'orderNumber'],
  order_edited: ['patientName', 'orderNumber', 'change'],
  order_canceled: ['patientName', 'orderNumber', 'reason'],
  abandoned_checkout: ['magicLinkUrl', 'intakeType'],
  abandoned_post_checkout: ['patientName', 'magicLinkUrl'],
  payment_error: ['patientName', 'amount', 'reason'],
  lab_received: ['patientName'],
  lab_resulted: ['patientName'],
  lab_rejected: ['patientName', 'reason'],
  treatment_active: ['patientName', 'medication'],

  first_shipping_confirmation: ['patientName', 'medication', 'trackingNumber', 'carrier'],
  shipping_confirmation: ['patientName', 'medication', 'trackingNumber', 'carrier'],
  shipping_update: ['patientName', 'medication', 'status', 'trackingNumber', 'carrier'],
  delivery_tomorrow: ['patientName', 'medication', 'trackingNumber'],
  out_for_delivery: ['patientName', 'medication', 'trackingNumber'],
  delivered: ['patientName', 'medication', 'trackingNumber'],

  prescription_approved: ['patientName', 'medication', 'pharmacyName'],
  prescription_denied: ['patientName', 'reason'],
} as const satisfies Record<string, readonly string[]>;

export type NotificationType = keyof typeof requiredVariables;
export const notificationTypes = Object.keys(requiredVariables) as NotificationType[];

export const isNotificationType = (text: string): text is NotificationType =>
  Object.hasOwn(requiredVariables, text);

/** Variables with health data, whatever the type. They belong in an e-mail only. */
export const healthVariables: ReadonlySet<string> = new Set([
  'medication',
  'dosingLine',
  'change',
  'reason',
  'message',
  'intakeType',
  'intakeTypeSentence',
  'items',
]);

/** Types with a code or a link that signs in. Nothing of them is kept, so they are not sent again (D135). */
export const secretTypes: ReadonlySet<NotificationType> = new Set([
  'otp',
  'password_reset',
  'magic_link',
  'abandoned_checkout',
  'abandoned_post_checkout',
]);

/** The required variables that are absent, null, or an object (D68). */
export const missingVariables = (type: NotificationType, variables: Variables): string[] =>
  requiredVariables[type].filter(
    (name) => !Object.hasOwn(variables, name) || textOf(variables[name]) === undefined,
  );

export type Variables = Readonly<Record<string, unknown>>;
