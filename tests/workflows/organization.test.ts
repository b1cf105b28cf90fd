// Organizations, their admins and domains; what is kept no longer.
import './organization/create-organization.js';
import './organization/discard-organization.js';
import './organization/send-sign-in-code.js';
import './organization/verify-custom-domain.js';
import './retention/retention.js';
