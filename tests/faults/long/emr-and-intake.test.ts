// What outside parties do wrong, around patients: the EMR, and the intake that ends in it.
import '../patient-emr.js';
import '../intake-front.js';
import '../intake.js';
import '../emr.js';
