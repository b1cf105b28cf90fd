// What is sent, looked up and listened to, and how all of it is made to fail.
import './control.js';
import './dns.js';
import './events.js';
import './faults.js';
import './messages.js';
import './tls.js';
