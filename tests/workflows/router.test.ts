// Orders and what pharmacies answer; what is told to clients, to consumers of events and to the EMR.
import './router/cancel-prescription.js';
import './router/deliver-callbacks.js';
import './router/follow-hold.js';
import './router/settle-submission.js';
import './router/submit-prescription.js';
import './bridge/sync-to-emr.js';
import './events/deliver-events.js';
