// A pharmacy that asks, is asked and gives no answer.
import '../exceptions.js';
