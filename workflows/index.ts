export * from './approve-prescription.js';
export * from './settle-payment.js';
export * from './send-notification.js';
export * from './submit-prescription.js';
