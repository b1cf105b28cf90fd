// What an outage has failed is tried again, and what it holds up is listed.
import '../recovery.js';
