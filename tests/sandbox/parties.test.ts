// Whoever is ordered from, paid and asked.
import './emr.js';
import './idp.js';
import './order-calls.js';
import './pharmacies.js';
import './shipping.js';
import './stripe.js';
import './stripe-money.js';
