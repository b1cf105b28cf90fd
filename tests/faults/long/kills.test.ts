// What a killed process leaves behind, and what a party does that gives no answer.
import '../approval-kills.js';
import '../order-changes.js';
import '../submission.js';
