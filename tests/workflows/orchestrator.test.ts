// An approval from its start to the shipment, and what comes later: payments in doubt, refills, recoveries.
import './orchestrator/approve-prescription.js';
import './orchestrator/cancel-approval.js';
import './orchestrator/deny-prescription.js';
import './orchestrator/follow-shipment.js';
import './orchestrator/process-refill.js';
import './orchestrator/recover-payment.js';
import './orchestrator/recover-runs.js';
import './orchestrator/refill-check.js';
import './orchestrator/reroute-order.js';
import './orchestrator/retry-charge.js';
import './orchestrator/settle-payment.js';
import './orchestrator/settle-shipment.js';
