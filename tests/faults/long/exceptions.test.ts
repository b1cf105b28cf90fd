// A pharmacy that asks, is asked and gives no answer.
import '../asked-and-moved.js';
import '../cards.js';
import '../exceptions.js';
