// Submissions of the intake form, the patient they are about, and what she is told.
import './intake/abandoned-checkout.js';
import './intake/find-or-create-emr-patient.js';
import './intake/send-code.js';
import './intake/submit-intake.js';
import './patients/create-patient.js';
import './notification/send-invitation.js';
import './notification/send-notification.js';
