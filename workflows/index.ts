export * from './approve-prescription.js';
export * from './settle-payment.js';
