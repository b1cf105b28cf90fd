/** The detail of `intake.payment_profile_saved`: the card that a patient's charges are made to, and what was agreed (D64). */
export interface PaymentProfileSaved {
  submissionId: string;
  emrPatientId: string;
  customerId: string;
  paymentMethodId: string;
  couponCode: string | null;
  planAmountCents: number;
  /** What the plan's price is for (D87); null in an event that was written before it was kept. */
  intakeType: string | null;
  /** The intake came with a proof of its mailbox; one without takes no other profile's place (D86). */
  emailProven: boolean;
  /** ISO 8601; of two profiles of a patient the later one counts. */
  savedAt: string;
}
